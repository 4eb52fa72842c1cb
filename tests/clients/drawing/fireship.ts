// Draws Fireship: the board with flags, rings and pawns, the power of each kind of pawn, and the seats.
import type { components } from "./schema";
import { counts, type Names, type Renderer } from "./renderer";

type Schemas = components["schemas"];
type Components = Schemas["Fireship.Components"];
type Square = Schemas["Fireship.BoardSquare"];
type View = Schemas["Fireship.View"];
type Seat = Schemas["Fireship.SeatView"];

const PAWNS: Record<string, string> = { PAWN_KIND_BOAT: "b", PAWN_KIND_PLANE: "p", PAWN_KIND_BATTLESHIP: "s" };
const MARKS: Record<string, string> = {
  SQUARE_KIND_SEA: "·",
  SQUARE_KIND_WHEEL: "O",
  SQUARE_KIND_BATTLESHIP: "C",
  SQUARE_KIND_MYSTERY: "?",
};
const PORTS = " abcdefghi";
const WIDTH = 5;

const letter = (colour: string): string => colour["COLOUR_".length]!;
const inColour = (colour: string, text: string): string => `{${colour}:${text}}`;

function board(board: Components, view: View): string[] {
  const rows: string[][] = [];
  for (const square of board.squares) (rows[square.row - 1] ??= [])[square.column - 1] = cell(board, view, square);
  return rows.map((row, index) => `${`${index + 1}`.padStart(3)}  ${row.join("")}`);
}

function cell(board: Components, view: View, square: Square): string {
  if (square.landOf) return land(board, view, square);
  if (square.baseOf !== "COLOUR_UNSPECIFIED") return base(board, view, square);
  const mark = square.portOf ? PORTS[square.portOf] : MARKS[square.kind];
  const pawns = view.pawns.filter(({ pawn }) => pawn?.square === square.square);
  const groups = pawns.map(
    ({ owner, pawn, count }) => [owner!, letter(owner!) + PAWNS[pawn!.kind]!.repeat(count!)] as const,
  );
  const room = " ".repeat(Math.max(0, WIDTH - 1 - groups.map(([, letters]) => letters).join("").length));
  return mark + groups.map(([owner, letters]) => inColour(owner, letters)).join("") + room;
}

// In the colour of the flag; the first square of an island shows its rings.
function land(board: Components, view: View, square: Square): string {
  const island = view.islands[square.landOf - 1]!;
  const isFirst = board.islands[square.landOf - 1]!.land[0] === square.name;
  const rings = isFirst ? "°".repeat(island.rings ?? 0) : "";
  return inColour(island.owner!, `${square.landOf}${letter(island.owner!)}${rings}`.padEnd(WIDTH));
}

// The first square of a base shows its name, each other one the number of pawns of one kind that wait there.
function base(board: Components, view: View, square: Square): string {
  const index = board.squares.filter(({ baseOf }) => baseOf === square.baseOf).indexOf(square);
  if (index === 0) return inColour(square.baseOf, (letter(square.baseOf) + square.square).padEnd(WIDTH));
  const { kind } = board.pawns[index - 1]!;
  const waiting = view.pawns.filter(({ pawn }) => pawn?.square === square.square && pawn.kind === kind);
  return inColour(square.baseOf, `${waiting[0]?.count ?? 0}${PAWNS[kind]}`.padEnd(WIDTH));
}

function seat(board: Components, names: Names, view: View, seat: Seat): string {
  const name = (value: string): string => names[value]!;
  const kept = board.cards.filter(({ kept }) => kept).map(({ card }) => card);
  const badges = board.badges.map(({ badge }) => badge);
  const hand = seat.hand ? counts(kept, "MYSTERY_CARD", seat.hand, name).join(", ") || "-" : `${seat.handSize} secret`;
  const held = counts(badges, "PLAYED_CARD", seat.badges, name).join(", ") || "-";
  return [`${letter(seat.colour)} ${name(seat.colour)}`, owned(view, seat).join(" ") || "-", hand, held].join("; ");
}

const owned = (view: View, seat: Seat): number[] =>
  view.islands.flatMap(({ owner }, index) => (owner === seat.colour ? [index + 1] : []));

export const renderer: Renderer<Components, View> = {
  draw: (components, names, view) => [
    ...board(components, view),
    components.pawns.map(({ kind, power }) => `${PAWNS[kind]} ${names[kind]} ${power}`).join(", "),
    ...view.seats.map((each) => seat(components, names, view, each)),
  ],
  score: (components, view) =>
    view.seats.map((seat) => [["islands", components.islandPoints * owned(view, seat).length]]),
};
