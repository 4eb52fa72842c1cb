// Bots to choose from, from the bots and names that a game's components list.
import { hasText, text } from "../words/texts.js";

/** @typedef {{name: string, options: {name: string, maximum: number}[]}} BotKind */
/** @typedef {{bot: string, label: string, level: string, detail: string}} Strength `bot` as seats name it, `level` for people */

const ITERATIONS = "iterations";
const LEVELS = [300, 2000]; // 100 did not beat greedy in 80 matches of Spring Festival for two: 46 % (36-57)

/**
 * The bots in the order of the components, the weakest first; one that searches comes once for each of some efforts.
 * @param {readonly BotKind[]} bots
 * @param {Record<string, string>} names
 * @returns {Strength[]}
 */
export function strengths(bots, names) {
  return bots.flatMap(({ name, options }) => {
    const [label = name, detail = ""] = (names[`bot.${name}`] ?? name).split(/\s*:\s*/);
    const effort = options.find((option) => option.name === ITERATIONS);
    if (!effort) return [{ bot: name, label, level: level(name, label), detail: `${label}: ${detail}` }];
    const levels = LEVELS.filter((level) => level <= effort.maximum);
    return levels.map((iterations) => ({
      bot: `${name}:${ITERATIONS}=${iterations}`,
      label: `${label} ${iterations}`,
      level: level(`${name}.${iterations}`, `${label} ${iterations}`),
      detail: `${label}: ${detail} (${names[`bot_option.${ITERATIONS}`] ?? ITERATIONS}: ${iterations})`,
    }));
  });
}

/**
 * How strong a bot is in words; its label if none is known. docs/bots.md has what was measured.
 * @param {string} key
 * @param {string} label
 */
function level(key, label) {
  return hasText(`strength.${key}`) ? text(`strength.${key}`) : label;
}
