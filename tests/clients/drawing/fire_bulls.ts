// Draws Fire Bulls: the grid of piles, point cards and pawns, the Reserve, the Qi deck, and the seats.
import type { components } from "./schema";
import { counts, type Renderer, sum, words } from "./renderer";

type Schemas = components["schemas"];
type Components = Schemas["FireBulls.Components"];
type View = Schemas["FireBulls.View"];
type Seat = Schemas["FireBulls.SeatView"];
type PointCard = Schemas["FireBulls.PointCardKind"];

const GENERAL: Record<string, string> = {
  GENERAL_PLACE_HIDDEN: "in a pile",
  GENERAL_PLACE_ASIDE: "next to the columns",
  GENERAL_PLACE_WON: "won",
};

// Piles, squares and pawns by their rows and columns, the row that is farthest from the pawns first.
function grid({ squares, lines }: Components, view: View): string[] {
  const rows: string[][] = [];
  const put = (row: number, column: number, text: string) => ((rows[row] ??= [])[column] = text);
  for (const { row, column } of squares) put(row, column, card(view.columns[column - 1]!.squares[row - 1]!));
  for (const { direction, row, column } of lines) put(row, column, pawn(view, direction));
  rows.push(view.columns.map(({ pileSize }) => `pile of ${pileSize}`));
  return rows.reverse().map((row) => row.filter((text) => text !== undefined).join(" | "));
}

const card = (card: string): string => (card === "POINT_CARD_UNSPECIFIED" ? "·" : words(card, "POINT_CARD"));

function pawn(view: View, direction: number): string {
  const seat = view.seats.find(({ place }) => place === direction);
  return `${direction}${seat ? ` ▲ ${words(seat.colour, "COLOUR")}` : ""}`;
}

const attackCards = (components: Components, cards: object): string =>
  counts(components.attackCards.map(({ card }) => card), "ATTACK_CARD", cards).join("  ") || "none";

function seat(components: Components, seat: Seat): string {
  const hand = seat.hand ? attackCards(components, seat.hand) : `${seat.handSize} cards`;
  const won = seat.victory.map((pile) => `${pile.count} ${card(pile.card)}`).join("  ") || "nothing yet";
  return [words(seat.colour, "COLOUR"), hand, won].join("; ");
}

const kind = (components: Components, card: string): PointCard | undefined =>
  components.pointCards.find((each) => each.card === card);

export const renderer: Renderer<Components, View> = {
  draw: (components, view) => [
    ...grid(components, view),
    `Reserve: ${attackCards(components, view.reserve)}`,
    `deck ${view.deckSize}, exhausted ${view.exhaustions} of ${components.exhaustionsToEnd}, general ` +
      GENERAL[view.general] + (view.generalWinner >= 0 ? ` by seat ${view.generalWinner}` : ""),
    ...view.seats.map((each) => seat(components, each)),
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
