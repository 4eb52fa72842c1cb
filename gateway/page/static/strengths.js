// Bots to choose from, from the bots and names that a game's components list.

/** @typedef {{name: string, options: {name: string, maximum: number}[]}} BotKind */
/** @typedef {{bot: string, label: string, detail: string}} Strength `bot` as seats name it */

const ITERATIONS = "iterations";
const LEVELS = [50, 300, 2000];

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
    if (!effort) return [{ bot: name, label, detail }];
    const levels = LEVELS.filter((level) => level <= effort.maximum);
    return levels.map((level) => ({
      bot: `${name}:${ITERATIONS}=${level}`,
      label: `${label} ${level}`,
      detail: `${detail} (${names[`bot_option.${ITERATIONS}`] ?? ITERATIONS}: ${level})`,
    }));
  });
}
