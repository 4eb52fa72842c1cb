// Which legal moves remain when some parts of the picture have been clicked, as multisets: a move may name a part twice.

/** @typedef {{text: string, notation: string, parts: string[]}} Choice What the page reads of a legal move. */

/**
 * @param {readonly string[]} all
 * @param {readonly string[]} some
 */
function without(all, some) {
  const left = [...all];
  for (const part of some) {
    const index = left.indexOf(part);
    if (index < 0) return undefined;
    left.splice(index, 1);
  }
  return left;
}

/**
 * The moves that name all clicked parts. Those that name no other come first.
 * @template {Choice} Move
 * @param {readonly Move[]} moves
 * @param {readonly string[]} clicked
 */
export function remaining(moves, clicked) {
  const found = moves.filter(({ parts }) => without(parts, clicked));
  return found.sort((one, other) => Number(isNamed(other, clicked)) - Number(isNamed(one, clicked)));
}

/**
 * Whether the clicked parts are all that the move names.
 * @param {Choice} move
 * @param {readonly string[]} clicked
 */
export function isNamed({ parts }, clicked) {
  return parts.length === clicked.length && without(parts, clicked) !== undefined;
}

/**
 * The parts of which a click leaves some move.
 * @param {readonly Choice[]} moves
 * @param {readonly string[]} clicked
 */
export function clickable(moves, clicked) {
  return new Set(moves.flatMap(({ parts }) => without(parts, clicked) ?? []));
}

/**
 * The parts that are next if the parts of each move are clicked in its order.
 * @param {readonly Choice[]} moves
 * @param {readonly string[]} clicked
 */
export function next(moves, clicked) {
  return new Set(moves.flatMap(({ parts }) => without(parts, clicked)?.slice(0, 1) ?? []));
}

/**
 * The moves whose sentence or notation has all typed words, accents and case apart.
 * @template {Choice} Move
 * @param {readonly Move[]} moves
 * @param {string} typed
 */
export function matching(moves, typed) {
  const words = plain(typed).split(/\s+/);
  return moves.filter(({ text, notation }) => {
    const own = plain(`${text} ${notation}`);
    return words.every((word) => own.includes(word));
  });
}

/** @param {string} text */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
}
