// What draws one game: a view as lines of text, and the lines of the score of every seat.

export type ScoreLine = [label: string, points: number];

export type Renderer<Components, View> = {
  draw: (components: Components, view: View) => string[];
  score: (components: Components, view: View) => ScoreLine[][];
};

// The views of each match, in order; the last one is of its end.
export type Recorded = { game: string; components: unknown; matches: unknown[][] };
export type Drawn = { positions: string[][]; score: ScoreLine[][] }[];

// The value of an enum as a person reads it: `wu blue` for `POINT_CARD_WU_BLUE` of the kind `POINT_CARD`.
export const words = (value: string, kind: string): string =>
  value.slice(kind.length + 1).toLowerCase().replaceAll("_", " ");

// The field of a message that counts things of one kind: `plusOne` for `MYSTERY_CARD_PLUS_ONE`.
export const fieldOf = (value: string, kind: string): string =>
  words(value, kind).replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());

// The numbers of things of the kinds in `values`, without those that are missing: `2 blue`, `1 red`.
export function counts(values: string[], kind: string, numbers: object): string[] {
  const byField = numbers as Record<string, number>;
  return values.flatMap((value) => {
    const number = byField[fieldOf(value, kind)] ?? 0;
    return number ? [`${number} ${words(value, kind).replaceAll(" ", "_")}`] : [];
  });
}

export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
