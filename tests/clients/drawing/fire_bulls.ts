// Draws Fire Bulls: the grid of piles, point cards and pawns, the Reserve, the Qi deck, and the seats.
import type { components } from "./schema";
import { counts, type Names, type Renderer, sum } from "./renderer";

type Schemas = components["schemas"];
type Components = Schemas["FireBulls.Components"];
type View = Schemas["FireBulls.View"];
type Seat = Schemas["FireBulls.SeatView"];
type PointCard = Schemas["FireBulls.PointCardKind"];

// Piles, squares and pawns by their rows and columns, the row that is farthest from the pawns first.
function grid({ squares, lines }: Components, names: Names, view: View): string[] {
  const rows: string[][] = [];
  const put = (row: number, column: number, text: string) => ((rows[row] ??= [])[column] = text);
  for (const { row, column } of squares) put(row, column, square(names, view.columns[column - 1]!.squares[row - 1]!));
  for (const { direction, row, column } of lines) put(row, column, pawn(names, view, direction));
  rows.push(view.columns.map(({ pileSize }) => `pile of ${pileSize}`));
  return rows.reverse().map((row) => row.filter((text) => text !== undefined).join(" | "));
}

const square = (names: Names, card: string): string => names[card] ?? "·";

function pawn(names: Names, view: View, direction: number): string {
  const seat = view.seats.find(({ place }) => place === direction);
  return `${direction}${seat ? ` ▲ ${names[seat.colour]}` : ""}`;
}

function attackCards(components: Components, names: Names, cards: object): string {
  const colours = new Map<string, string>(components.attackCards.map(({ card, colour }) => [card, colour]));
  const name = (card: string): string => names[colours.get(card)!] ?? names[card]!; // a bull is named by its colour
  return counts([...colours.keys()], "ATTACK_CARD", cards, name).join(", ") || "no cards";
}

function seat(components: Components, names: Names, seat: Seat): string {
  const known = attackCards(components, names, seat.known);
  const hidden = `${seat.handSize} cards${known === "no cards" ? "" : ` (${known}, ...)`}`;
  const hand = seat.hand ? attackCards(components, names, seat.hand) : hidden;
  const won = seat.victory.map(({ card, count }) => `${count} ${names[card]}`).join(", ") || "nothing yet";
  return [names[seat.colour], hand, won].join("; ");
}

function general(names: Names, { general, generalWinner }: View): string {
  return `${names.POINT_CARD_GENERAL}: ${generalWinner >= 0 ? `won by seat ${generalWinner + 1}` : names[general]}`;
}

function status(names: Names, view: View): string {
  const attack = view.captureLimit ? [`${view.captures} of at most ${view.captureLimit} cards captured`] : [];
  const owed = view.warriorsOwed ? [`${view.warriorsOwed} warriors to make up for`] : [];
  return [names[view.stage], ...attack, ...owed].join("; ");
}

const kind = (components: Components, card: string): PointCard | undefined =>
  components.pointCards.find((each) => each.card === card);

export const renderer: Renderer<Components, View> = {
  draw: (components, names, view) => [
    ...grid(components, names, view),
    `Reserve: ${attackCards(components, names, view.reserve)}`,
    `deck ${view.deckSize}, exhausted ${view.exhaustions} of ${components.exhaustionsToEnd}, ${general(names, view)}`,
    status(names, view),
    ...view.seats.map((each) => seat(components, names, each)),
  ],
  score: (components, view) =>
    view.seats.map(({ victory, penalty, colour }) => {
      const lost = kind(components, penalty)?.value ?? 0;
      const values = victory.map(({ card, count }) => count * kind(components, card)!.value);
      const own = victory.filter(({ card }) => kind(components, card)!.colours.includes(colour));
      return [
        ["cards", sum(values) + lost],
        ["penalty", 0 - lost],
        ["colour", components.colourPoints * sum(own.map(({ count }) => count))],
      ];
    }),
};
