// Counts what a sign of Spring Festival counts in a display, as the enum `SignCount` of its components says.
import { sum } from "./renderer";
import type { components } from "./schema";

type Schemas = components["schemas"];
type Components = Schemas["SpringFestival.Components"];
type Sign = Schemas["SpringFestival.SignComponent"];
type Seat = Schemas["SpringFestival.SeatView"];
type Direction = Schemas["SpringFestival.DirectionComponent"];
type Tile = Schemas["SpringFestival.Tile"] & { x: number; y: number };

export function counted(components: Components, sign: Sign, seat: Seat): number {
  const tiles: Tile[] = seat.display.map(({ tile, square }) => ({ ...tile, x: square.x ?? 0, y: square.y ?? 0 }));
  const { directions } = components;
  const sides = directions.filter(({ side }) => side);
  const corners = directions.filter(({ side }) => !side);
  const chosen = tiles.filter(
    ({ colour, number }) =>
      (sign.colour === "COLOUR_UNSPECIFIED" || sign.colour === colour) && (!sign.number || sign.number === number),
  );
  const next = ({ x, y }: Tile, { dx, dy }: Direction) => tiles.find((tile) => tile.x === x + dx && tile.y === y + dy);
  const around = (tile: Tile, within: Direction[], among = tiles) =>
    within.flatMap((direction) => among.find((other) => other === next(tile, direction)) ?? []);
  const joined = (tile: Tile, property: "arrows" | "sparks") =>
    directions.filter(
      (each) => tile[property].includes(each.direction) && next(tile, each)?.[property].includes(each.opposite),
    ).length;
  const allOf = <Value>(lines: number[], line: "x" | "y", value: (tile: Tile) => Value) => {
    const all = new Set(components.tiles.map(({ tile }) => value(tile as Tile))).size;
    const on = (each: number) => new Set(tiles.filter((tile) => tile[line] === each).map(value)).size;
    return [...new Set(lines)].filter((each) => on(each) === all).length;
  };
  const columns = chosen.map(({ x }) => x);

  const counts: Record<string, () => number> = {
    SIGN_COUNT_COLUMN_WITH_ONE: () => columns.filter((x) => columns.indexOf(x) === columns.lastIndexOf(x)).length,
    SIGN_COUNT_TILE_WITH_SPARK: () => chosen.filter((tile) => joined(tile, "sparks")).length,
    SIGN_COUNT_PAIR: () => sum(chosen.map((tile) => around(tile, sides, chosen).length)) / 2,
    SIGN_COUNT_TILE_WITH_FREE_SIDE: () => chosen.filter((tile) => around(tile, sides).length < sides.length).length,
    SIGN_COUNT_ENCLOSED_TILE: () => chosen.filter((tile) => around(tile, sides).length === sides.length).length,
    SIGN_COUNT_TILE_OF_LARGEST_GROUP: () => {
      const groups = chosen.map((tile) => {
        const group = new Set([tile]);
        for (const each of group) for (const other of around(each, sides, chosen)) group.add(other);
        return group.size;
      });
      return Math.max(0, ...groups);
    },
    SIGN_COUNT_TILE_WITH_DIAGONAL_MATCH: () => chosen.filter((tile) => around(tile, corners, chosen).length).length,
    SIGN_COUNT_TILE_WITH_SIDE_MATCH: () => chosen.filter((tile) => around(tile, sides, chosen).length).length,
    SIGN_COUNT_SPARK: () => sum(tiles.map((tile) => joined(tile, "sparks"))) / 2,
    SIGN_COUNT_FACING_ARROWS: () => sum(tiles.map((tile) => joined(tile, "arrows"))) / 2,
    SIGN_COUNT_COLUMN_WITH_ALL_NUMBERS: () => allOf(tiles.map(({ x }) => x), "x", ({ number }) => number),
    SIGN_COUNT_ROW_WITH_ALL_COLOURS: () => allOf(tiles.map(({ y }) => y), "y", ({ colour }) => colour),
  };
  return counts[sign.counts]!();
}
