// Canonical protobuf bytes of a message in ProtoJSON, by a table of its fields: what hash chains and signatures are
// computed over. A protobuf library would be half as large as the whole page, and records need six types of fields.

/**
 * Fields by message and name; the type is `int32`, `sint32`, `bool`, `string`, or the name of a message or enum, after
 * `repeated ` or, if an absent value differs from the default, `optional `.
 * @typedef {{messages: Record<string, Record<string, [number: number, type: string]>>, enums: Record<string, string[]>}} Fields
 */
/** @typedef {Record<string, unknown>} Message */

/** A value that the message of a table cannot have. */
export class InvalidField extends Error {
  /** @param {string} place for example `events[3].move` */
  constructor(place) {
    super(place);
    this.place = place;
  }
}

const LENGTH_DELIMITED = 2;

/**
 * The bytes that every protobuf library writes with deterministic serialization.
 * @param {Fields} fields
 * @param {string} type of the message
 * @param {unknown} message in ProtoJSON, with JSON or original names of fields
 * @param {readonly string[]} [excluded] fields of the message itself that are left out
 * @param {string} [place] of the message, for errors
 * @returns {Uint8Array<ArrayBuffer>} Throws `InvalidField`.
 */
export function canonicalBytes(fields, type, message, excluded = [], place = "") {
  return Uint8Array.from(messageBytes(fields, type, message, place, excluded));
}

/** @typedef {(value: unknown) => number[]} Write throws for a value that is not of the type */
/** @type {Record<string, Write>} */
const SCALARS = {
  int32: (value) => varint(BigInt.asUintN(64, BigInt(integer(value)))),
  sint32: (value) => varint(BigInt.asUintN(32, BigInt((integer(value) << 1) ^ (integer(value) >> 31)))),
  bool: (value) => [Number(of(typeof value === "boolean", value))],
  string: (value) => [...new TextEncoder().encode(String(of(typeof value === "string", value)))],
};

/** @type {(fields: Fields, type: string, message: unknown, place: string, excluded?: readonly string[]) => number[]} */
function messageBytes(fields, type, message, place, excluded = []) {
  const table = fields.messages[type] ?? {};
  if (typeof message !== "object" || message === null || Array.isArray(message)) throw new InvalidField(place);
  /** @type {[number, number[]][]} */
  const written = [];
  for (const [given, value] of Object.entries(message)) {
    const name = given.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
    const field = Object.hasOwn(table, name) ? table[name] : undefined;
    const inner = place ? `${place}.${given}` : given;
    if (!field || (given !== name && Object.hasOwn(message, name))) throw new InvalidField(inner);
    if (!excluded.includes(name) && value !== null) written.push([field[0], fieldBytes(fields, field, value, inner)]);
  }
  return written.sort(([one], [other]) => one - other).flatMap(([, bytes]) => bytes);
}

/** @type {(fields: Fields, field: [number, string], value: unknown, place: string) => number[]} */
function fieldBytes(fields, [number, declared], value, place) {
  const [type = "", label] = declared.split(" ").reverse();
  const isMessage = type in fields.messages;
  const write = isMessage ? undefined : (SCALARS[type] ?? ((name) => enumBytes(fields.enums[type] ?? [], name)));
  /** @type {(each: unknown, where: string) => number[]} */
  const bytes = (each, where) => {
    if (!write) return messageBytes(fields, type, each, where);
    try {
      return write(each);
    } catch {
      throw new InvalidField(where);
    }
  };
  /** @type {(content: number[]) => number[]} */
  const delimited = (content) => [...tag(number, LENGTH_DELIMITED), ...varint(BigInt(content.length)), ...content];
  if (label === "repeated") {
    if (!Array.isArray(value)) throw new InvalidField(place);
    const items = value.map((each, index) => bytes(each, `${place}[${index}]`));
    // Numbers of a repeated field are packed into one value.
    return isMessage || type === "string" ? items.flatMap(delimited) : items.length ? delimited(items.flat()) : [];
  }
  const content = bytes(value, place);
  if (isMessage) return delimited(content);
  const isDefault = type === "string" ? !content.length : content[0] === 0;
  if (isDefault && label !== "optional") return [];
  return type === "string" ? delimited(content) : [...tag(number, 0), ...content];
}

/** @type {(names: string[], value: unknown) => number[]} */
function enumBytes(names, value) {
  const number = names.indexOf(String(value));
  return varint(BigInt(of(number >= 0, number)));
}

/** @type {(value: unknown) => number} */
function integer(value) {
  const number = typeof value === "number" ? value : NaN;
  return of(number === (number | 0), number);
}

/**
 * @template T
 * @param {boolean} valid
 * @param {T} value
 * @returns {T}
 */
function of(valid, value) {
  if (!valid) throw new TypeError();
  return value;
}

/** @type {(number: number, kind: number) => number[]} */
const tag = (number, kind) => varint(BigInt((number << 3) | kind));

/** @type {(value: bigint) => number[]} */
function varint(value) {
  const bytes = [];
  for (; value > 0x7fn; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80);
  return [...bytes, Number(value)];
}
