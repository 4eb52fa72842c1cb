// Verifies a match record in the browser, without the service: commitment, hash chain and signature, as
// docs/fairness.md specifies them. Whether the draws follow from the seeds, only the rules tell: `fireside verify`.
import { canonicalBytes, InvalidField } from "./canonical.js";

/** @import { Fields, Message } from "./canonical.js" */
/**
 * What somebody noted while the match was in play, or knows from elsewhere; all in hexadecimal.
 * @typedef {object} Trusted
 * @property {string} [commitment] of the match when it began
 * @property {readonly string[]} [publicKeys] of the service
 * @property {Seen} [seen]
 */
/**
 * The log as one observer saw it, and the head that this observer was sent after one of its entries.
 * @typedef {{events: readonly Message[], head: string}} Seen
 */
/** @typedef {"passed" | "failed" | "unknown"} Outcome `unknown`: what is needed to check it is not there */
/**
 * @typedef {object} Check
 * @property {"crypto" | "record" | "seed" | "commitment" | "log" | "signature" | "key" | "seen"} name
 * @property {Outcome} outcome
 * @property {string} reason key of the sentence that says so, after `verify.` and the name
 * @property {Record<string, string>} facts for the sentence
 */
/**
 * @typedef {object} Verification
 * @property {"proved" | "consistent" | "refuted"} verdict `consistent`: nothing was found wrong, and nobody vouches for all of it
 * @property {Check[]} checks
 * @property {string} head of the full chain; empty if the record cannot be read
 */

const START = ["matchId", "game", "rulesVersion", "seats", "options", "clientSeeds", "commitment", "clock", "hints", "spectatorDelay", "openAfter"];
const NOT_HASHED = ["head", "text"];
const HEXADECIMAL = ["secretSeed", "commitment", "signature", "publicKey"];
const ENCODER = new TextEncoder();

/**
 * @param {string} text of a record in JSON, alone or as `{"record": …}`
 * @param {Fields} fields
 * @param {Trusted} [trusted]
 * @returns {Promise<Verification>}
 */
export async function verify(text, fields, trusted = {}) {
  // Browsers have WebCrypto only on pages of https and of the machine itself.
  if (!globalThis.crypto?.subtle) return { verdict: "consistent", checks: [check("crypto", "unknown")], head: "" };
  try {
    const record = parsed(text);
    const checks = await new Verifier(record, fields, trusted).checks();
    return { verdict: verdict(checks.list), checks: checks.list, head: hex(checks.head) };
  } catch (error) {
    if (!(error instanceof InvalidField)) throw error;
    return { verdict: "refuted", checks: [check("record", "failed", "invalid", { place: error.place })], head: "" };
  }
}

/**
 * The record in a text. Throws `InvalidField`, with the text where there is no JSON object.
 * @param {string} text
 * @returns {Message}
 */
export function parsed(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidField("JSON");
  }
  // JSON.parse takes the last of two equal names, other programs the first: they would read another record.
  const names = text.match(/"(?:[^"\\]|\\.)*"(?=\s*:)/g)?.length ?? 0;
  if (names !== count(value)) throw new InvalidField("JSON");
  return withJsonNames(message(message(value).record ?? value));
}

class Verifier {
  /** @param {Message} record @param {Fields} fields @param {Trusted} trusted */
  constructor(record, fields, trusted) {
    this.record = record;
    this.fields = fields;
    this.trusted = trusted;
    this.package = `${string(record.game)}.v1`;
    this.events = array(record.events).map(message);
  }

  /** @returns {Promise<{list: Check[], head: Uint8Array<ArrayBuffer>}>} */
  async checks() {
    if (!(`${this.package}.MatchRecord` in this.fields.messages)) throw new InvalidField("game");
    const heads = await this.#heads(this.events);
    const head = heads[heads.length - 1] ?? new Uint8Array();
    const list = [await this.#seed(), this.#commitment(), this.#log(head), await this.#signature(head), this.#key()];
    return { list: [...list, await this.#seen()], head };
  }

  /** The head before the first entry and after each.
   * @param {readonly Message[]} events */
  async #heads(events) {
    const secret = Object.keys(this.record).filter((name) => !START.includes(name));
    const chain = ENCODER.encode("fireside/chain/1");
    const heads = [await sha256(chain, this.#bytes("MatchRecord", this.record, secret))];
    for (const [index, event] of events.entries()) {
      const last = /** @type {Uint8Array<ArrayBuffer>} */ (heads[index]);
      const excluded = events === this.events ? [] : NOT_HASHED;
      heads.push(await sha256(chain, last, this.#bytes("Event", event, excluded, `events[${index}]`)));
    }
    return heads;
  }

  /** @param {string} type @param {Message} message @param {readonly string[]} excluded @param {string} [place] */
  #bytes(type, message, excluded, place) {
    return canonicalBytes(this.fields, `${this.package}.${type}`, message, excluded, place);
  }

  async #seed() {
    const secret = bytes(this.record.secretSeed, 32);
    const given = secret ? hex(await sha256(ENCODER.encode("fireside/commitment/1"), secret)) : "";
    return check("seed", given !== "" && given === this.record.commitment ? "passed" : "failed");
  }

  #commitment() {
    const commitment = string(this.record.commitment);
    if (!this.trusted.commitment) return check("commitment", "unknown", "", { commitment });
    return check("commitment", same(this.trusted.commitment, commitment) ? "passed" : "failed", "", { commitment });
  }

  /** @param {Uint8Array<ArrayBuffer>} head */
  #log(head) {
    const wrong = this.events.findIndex((event, index) => event.revision !== index + 1);
    if (wrong >= 0) return check("log", "failed", "", { revision: String(wrong + 1) });
    return check("log", "passed", "", { entries: String(this.events.length), head: hex(head) });
  }

  /** @param {Uint8Array<ArrayBuffer>} head */
  async #signature(head) {
    if (!this.record.signature) return check("signature", "unknown", "missing");
    const publicKey = bytes(this.record.publicKey, 32);
    const signature = bytes(this.record.signature, 64);
    if (!publicKey || !signature) return check("signature", "failed");
    const rest = this.#bytes("MatchRecord", this.record, ["events", "signature"]);
    const signed = lengthPrefixed(ENCODER.encode("fireside/record/1"), rest, head);
    try {
      const key = await crypto.subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
      return check("signature", (await crypto.subtle.verify("Ed25519", key, signature, signed)) ? "passed" : "failed");
    } catch (error) {
      const isMissing = error instanceof DOMException && error.name === "NotSupportedError";
      return isMissing ? check("signature", "unknown", "unsupported") : check("signature", "failed");
    }
  }

  #key() {
    const key = string(this.record.publicKey);
    if (!this.trusted.publicKeys?.length || !key) return check("key", "unknown", "", { key });
    return check("key", this.trusted.publicKeys.some((known) => same(known, key)) ? "passed" : "failed", "", { key });
  }

  /** Whether the log that an observer saw leads to the head that it was sent, and is the one of the record. */
  async #seen() {
    const { seen } = this.trusted;
    if (!seen) return check("seen", "unknown");
    const heads = await this.#heads(seen.events);
    const revision = heads.findIndex((head) => same(hex(head), seen.head));
    if (revision < 0) return check("seen", "failed", "head");
    const differing = seen.events.slice(0, revision).findIndex((event, index) => !this.#isEntry(event, index));
    if (differing >= 0) return check("seen", "failed", "entry", { revision: String(differing + 1) });
    const facts = { revision: String(revision), entries: String(this.events.length) };
    return revision === this.events.length ? check("seen", "passed", "", facts) : check("seen", "unknown", "early", facts);
  }

  /** Whether what an observer saw is the entry of the record, or that entry with something concealed.
   * @param {Message} event @param {number} index */
  #isEntry(event, index) {
    const full = this.events[index];
    if (!full || event.seat !== full.seat) return false;
    if (string(event.notation).includes("?")) return agrees(event, full);
    const [seen, recorded] = [event, full].map((each) => this.#bytes("Event", each, NOT_HASHED));
    return String(seen) === String(recorded);
  }
}

/** @param {readonly Check[]} checks */
function verdict(checks) {
  if (checks.some(({ outcome }) => outcome === "failed")) return "refuted";
  const passed = new Set(checks.filter(({ outcome }) => outcome === "passed").map(({ name }) => name));
  return (passed.has("signature") && passed.has("key")) || passed.has("seen") ? "proved" : "consistent";
}

/** Whether a value that an observer saw may be the one of the record: concealed values are at their defaults.
 * @type {(seen: unknown, full: unknown) => boolean} */
function agrees(seen, full) {
  if (Array.isArray(seen)) return seen.every((each, index) => agrees(each, array(full)[index]));
  if (typeof seen === "object" && seen !== null) {
    const fields = /** @type {Message} */ (full ?? {});
    return Object.entries(seen).every(([name, value]) => NOT_HASHED.includes(name) || agrees(value, fields[name]));
  }
  return seen === full || !seen || /_UNSPECIFIED$|[?]/.test(String(seen));
}

/**
 * @param {Check["name"]} name
 * @param {Outcome} outcome
 * @param {string} [reason] the outcome unless there is more to say
 * @param {Record<string, string>} [facts]
 * @returns {Check}
 */
function check(name, outcome, reason = "", facts = {}) {
  return { name, outcome, reason: reason || outcome, facts };
}

/** @param {Uint8Array[]} parts */
async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", lengthPrefixed(...parts)));
}

/** @param {Uint8Array[]} parts each preceded by its length in four bytes */
function lengthPrefixed(...parts) {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + 4 + part.length, 0));
  let at = 0;
  for (const part of parts) {
    new DataView(joined.buffer).setUint32(at, part.length);
    joined.set(part, at + 4);
    at += 4 + part.length;
  }
  return joined;
}

/** @param {unknown} text @param {number} length in bytes */
function bytes(text, length) {
  const digits = string(text);
  if (!/^[0-9a-f]*$/.test(digits) || digits.length !== 2 * length) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} data */
const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} one @param {string} other in hexadecimal */
const same = (one, other) => one.trim().toLowerCase() === other;

/** @param {string} name */
const camelCase = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** @param {unknown} value @returns {string} */
const string = (value) => (typeof value === "string" ? value : "");

/** @param {unknown} value @returns {unknown[]} */
const array = (value) => (Array.isArray(value) ? value : []);

/** @param {unknown} value @returns {Message} */
function message(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new InvalidField("JSON");
  return /** @type {Message} */ (value);
}

/** The number of names in a JSON value.
 * @param {unknown} value @returns {number} */
function count(value) {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value).reduce((sum, each) => sum + count(each), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

/** A record with JSON names, and with hexadecimal texts as they are hashed.
 * @param {Message} record @returns {Message} */
function withJsonNames(record) {
  const entries = Object.entries(record).map(([name, value]) => [camelCase(name), value]);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, HEXADECIMAL.includes(String(name)) ? string(value).toLowerCase() : value]),
  );
}
