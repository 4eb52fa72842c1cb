// What this browser stores for the page; of this document alone where the browser stores nothing, as in frames of other
// sites and with cookies turned off.

/**
 * @param {() => Storage} stored
 * @returns {Storage}
 */
function usable(stored) {
  try {
    return stored(); // to read the property throws, not only to use it
  } catch {
    return memory();
  }
}

/** @returns {Storage} */
function memory() {
  /** @type {Map<string, string>} */
  const items = new Map();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
  };
}

export const local = usable(() => localStorage);
export const session = usable(() => sessionStorage);

/**
 * What is stored as JSON; `otherwise` if nothing is, or something that is no JSON.
 * @template T
 * @param {Storage} storage
 * @param {string} key
 * @param {T} otherwise
 * @returns {T}
 */
export function parsed(storage, key, otherwise) {
  try {
    return JSON.parse(storage.getItem(key) ?? "") ?? otherwise;
  } catch {
    return otherwise;
  }
}
