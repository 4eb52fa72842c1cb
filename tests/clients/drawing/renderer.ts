// What draws one game: a view as lines of text, and the lines of the score of every seat.

export type ScoreLine = [label: string, points: number];

// The names of things by value of an enum, or by kind and word, as `GetComponents` gives them.
export type Names = Record<string, string>;

export type Renderer<Components, View> = {
  draw: (components: Components, names: Names, view: View) => string[];
  score: (components: Components, view: View) => ScoreLine[][];
};

// What `GetComponents` answers, and the views of each match, in order; the last one is of its end.
export type Recorded = { game: string; components: unknown; names: Names; matches: unknown[][] };
export type Drawn = { positions: string[][]; score: ScoreLine[][] }[];

// The numbers of things by the fields of a message, without those that are missing: `2 Boum`, `1 Fog`. A field is called
// as the value of an enum is: `plusOne` for `MYSTERY_CARD_PLUS_ONE`.
export function counts(values: string[], kind: string, numbers: object, name: (value: string) => string): string[] {
  const byField = numbers as Record<string, number>;
  return values.flatMap((value) => {
    const field = value.slice(kind.length + 1).toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return byField[field] ? [`${byField[field]} ${name(value)}`] : [];
  });
}

export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
