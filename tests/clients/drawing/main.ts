// Draws every position of recorded matches and counts their final scores, from components and views alone.
// Usage: node main.js RECORDED DRAWN, two JSON files: `Recorded` and `Drawn`.
import * as fireBulls from "./fire_bulls";
import * as fireship from "./fireship";
import type { Drawn, Recorded, Renderer } from "./renderer";
import * as springFestival from "./spring_festival";

declare const process: { argv: string[] };
declare function require(name: "node:fs"): {
  readFileSync(path: string, encoding: "utf-8"): string;
  writeFileSync(path: string, text: string): void;
};

const RENDERERS: Record<string, Renderer<unknown, unknown>> = {
  fire_bulls: fireBulls.renderer as Renderer<unknown, unknown>,
  fireship: fireship.renderer as Renderer<unknown, unknown>,
  spring_festival: springFestival.renderer as Renderer<unknown, unknown>,
};

const files = require("node:fs");
const [, , recordedPath, drawnPath] = process.argv;
const { game, components, names, matches } = JSON.parse(files.readFileSync(recordedPath!, "utf-8")) as Recorded;
const { draw, score } = RENDERERS[game]!;
const drawn: Drawn = matches.map((views) => ({
  positions: views.map((view) => draw(components, names, view)),
  score: score(components, views[views.length - 1]),
}));
files.writeFileSync(drawnPath!, JSON.stringify(drawn));
