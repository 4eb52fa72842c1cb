// Draws Spring Festival: the store and the display of every seat. A tile is five characters wide and three high.
import type { components } from "./schema";
import type { Names, Renderer, ScoreLine } from "./renderer";
import { counted } from "./spring_festival_signs";

type Schemas = components["schemas"];
type Components = Schemas["SpringFestival.Components"];
type View = Schemas["SpringFestival.View"];
type Seat = Schemas["SpringFestival.SeatView"];
type Tile = Schemas["SpringFestival.Tile"];

const ARROWS = "↖↑↗← →↙↓↘";
const EMPTY = [" ".repeat(5), " ".repeat(5), " ".repeat(5)];

function tile(components: Components, id: string, face = ""): string[] {
  const tile = components.tiles.find((each) => each.tile?.id === id)!.tile!;
  const lines = EMPTY.map((line) => [...line]);
  for (const { direction, dx, dy } of components.directions) {
    const arrow = tile.arrows.includes(direction) ? ARROWS[3 * (dy + 1) + dx + 1]! : undefined;
    lines[dy + 1]![2 * (dx + 1)] = arrow ?? (tile.sparks.includes(direction) ? "*" : " ");
  }
  lines[1]!.splice(1, 3, ...short(tile), face === "FACE_EXPLODED" ? "!" : " ");
  return lines.map((line) => line.join(""));
}

const short = (tile: Tile): string => `${tile.colour["COLOUR_".length]}${tile.number}`;

function store(components: Components, view: View): string[] {
  if (!view.piles.some(({ top }) => top)) return ["store: no open tiles"];
  const tops = view.piles.map(({ top }) => (top ? tile(components, top.id) : EMPTY));
  const numbers = view.piles.map((_, number) => `${number}`);
  return tileRow("store", tops, numbers, view.piles.map(({ size }) => `(${size})`));
}

// Tiles side by side after a caption, with a text above and one below each.
function tileRow(caption: string, tiles: string[][], above: string[], below: string[]): string[] {
  const margin = " ".repeat(caption.length + 2);
  const texts = (row: string[]): string[] => (row.length ? [margin + row.map(centred).join("   ")] : []);
  const lines = [0, 1, 2].map((line) => tiles.map((tile) => tile[line]!).join("   "));
  const drawn = lines.map((line, index) => (index === 1 ? `${caption}  ` : margin) + line);
  return [...texts(above), ...drawn, ...texts(below)];
}

// While the store is to be turned: the tile that each seat would get, for each position.
function orientations(components: Components, view: View): string[] {
  if (view.stage !== "STAGE_ORIENT") return [];
  const { arms } = components.seatings.find(({ seats }) => seats === view.seats.length)!;
  return view.piles.map((_, offset) => {
    const taken = arms.map((arm, seat) => {
      const { top } = view.piles[(offset + arm) % components.store.piles]!;
      return `${short(top!)} to ${seat + 1}`;
    });
    const stays = offset === view.offset ? "  (leaves the store as it is)" : "";
    return `  orient ${offset}: ${taken.join(", ")}${stays}`;
  });
}

function display(components: Components, seat: Seat): string[] {
  if (seat.display.length === 0) return [`${seat.laid} tiles, hidden`];
  const columns = range(seat.display.map(({ square }) => square.x ?? 0));
  const rows = range(seat.display.map(({ square }) => square.y ?? 0));
  const drawn = rows.flatMap((y) => {
    const tiles = columns.map((x) => {
      const here = seat.display.find(({ square }) => (square.x ?? 0) === x && (square.y ?? 0) === y);
      return here ? tile(components, here.tile.id, here.face) : EMPTY;
    });
    return EMPTY.map((_, line) => `${line === 1 ? `${y}`.padStart(3) : "   "} ${tiles.map((t) => t[line]).join(" ")}`);
  });
  return [`    ${columns.map((x) => centred(`${x}`)).join(" ")}`, ...drawn];
}

const centred = (text: string): string => `${" ".repeat(Math.floor((5 - text.length) / 2))}${text}`.padEnd(5);

function range(numbers: number[]): number[] {
  const first = Math.min(...numbers);
  return Array.from({ length: Math.max(...numbers) - first + 1 }, (_, index) => first + index);
}

function facts(components: Components, names: Names, seat: Seat): string[] {
  const unlaid = seat.unlaid.map(({ id }) => id.slice("TILE_ID_".length).replace("_", "-"));
  const drawn = seat.unlaid.map(({ id }) => tile(components, id));
  const caption = `tile to place${seat.committed ? " (committed)" : ""}`;
  const card = (id: string): [string, string[]] => {
    const { rows, points } = components.compositions.find(({ composition }) => composition.id === id)!.composition;
    return [`${id.slice("COMPOSITION_ID_".length)} (${points})`, rows];
  };
  return [
    `${names["score.applause"]} ${seat.applause}`,
    ...(unlaid.length ? tileRow("start tiles", drawn, [], unlaid) : []),
    ...(seat.tile ? tileRow(caption, [tile(components, seat.tile.id)], [], []) : []),
    ...cards(seat.cards.map(({ id }) => card(id))),
    `completed: ${seat.completed.map(({ id }) => card(id)[0]).join(", ") || "-"}`,
    ...(seat.left ? ["has left"] : []),
  ];
}

// Cards side by side: name and points, and below them the picture.
function cards(shown: [string, string[]][]): string[] {
  if (!shown.length) return ["to complete: -"];
  const height = Math.max(...shown.map(([, rows]) => rows.length));
  const rows = Array.from({ length: height }, (_, row) =>
    shown.map(([name, picture]) => (picture[row] ?? "").padEnd(name.length)).join("  "),
  );
  return ["to complete:", shown.map(([name]) => name).join("  "), ...rows];
}

function score(components: Components, view: View, seat: Seat): ScoreLine[] {
  const { scoring, compositions, signs } = components;
  const exploded = seat.display.filter(({ face }) => face === "FACE_EXPLODED").length;
  const fewer = view.seats.filter(({ applause }) => applause < seat.applause).length;
  const sign = signs.find((each) => each.sign === view.sign);
  return [
    ["finale", seat.launched ? scoring.explodedTilePoints * exploded : 0],
    ["applause", scoring.applausePoints * seat.applause],
    ["majorities", scoring.majorityPoints * fewer],
    ...seat.completed.map(({ id, points }): ScoreLine => {
      const card = compositions.find(({ composition }) => composition.id === id)!;
      return [card.scoreLabel, points];
    }),
    ...(sign ? [["sign", view.round ? sign.points * counted(components, sign, seat) : 0] as ScoreLine] : []),
  ];
}

function lines(components: Components, names: Names, view: View): string[] {
  const round = `turn ${view.round} of ${components.rounds}`;
  const turned = view.activeSeat >= 0 ? [`store turned by seat ${view.activeSeat + 1}`] : [];
  return [
    [round, names[view.stage], `${names["option.sign"]}: ${names[view.sign]}`, ...turned].join("; "),
    ...store(components, view),
    ...orientations(components, view),
    ...view.seats.flatMap((seat) => [...display(components, seat), ...facts(components, names, seat)]),
  ];
}

export const renderer: Renderer<Components, View> = {
  draw: (components, names, view) => lines(components, names, view).map((line) => line.trimEnd()),
  score: (components, view) => view.seats.map((seat) => score(components, view, seat)),
};
