// Texts of the page in the language of the person, from words.<language>.json.
import { FiresideError, UnreachableError } from "../client/errors.js";
import { local } from "../storage.js";

export const LANGUAGES = /** @type {const} */ ({ en: "English", fr: "Français", it: "Italiano" });

/** @typedef {keyof typeof LANGUAGES} Language */

const STORED = "fireside.language";
const DAY = 24 * 60 * 60;

/** @type {Record<string, string>} */
let words = {};

let current = preferred();

/** The language in use. */
export function language() {
  return current;
}

/** The language chosen before, else the first that the browser prefers and there is. */
function preferred() {
  const tags = [local.getItem(STORED), ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
  return /** @type {Language} */ (tags.find((tag) => tag && tag in LANGUAGES) ?? "en");
}

/** Load the texts of the language in use. */
export async function loadTexts() {
  current = preferred();
  const response = await fetch(new URL(`words.${current}.json`, import.meta.url));
  words = await response.json();
  document.documentElement.lang = current;
}

/**
 * Choose a language for this browser.
 * @param {Language} chosen
 */
export async function chooseLanguage(chosen) {
  local.setItem(STORED, chosen);
  await loadTexts();
}

/**
 * A text with its places `{name}` filled; the key itself if there is none.
 * @param {string} key
 * @param {Record<string, string | number>} [facts]
 */
export function text(key, facts = {}) {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (place, name) => String(facts[name] ?? place));
}

/**
 * Whether there is a text.
 * @param {string} key
 */
export function hasText(key) {
  return key in words;
}

/**
 * An error in words: the fields that are wrong as the person knows them, else the reason. What the service says of it
 * is for programmers, in English.
 * @param {unknown} error
 * @param {(field: string) => string | undefined} [label] what the person knows a field of the request as
 */
export function errorText(error, label = () => undefined) {
  if (error instanceof UnreachableError) return text("error.UNREACHABLE");
  if (!(error instanceof FiresideError)) return text("error.page");
  const { violations, metadata, reason } = error.problem;
  const fields = new Set(violations.map(({ field }) => label(field)).filter(Boolean));
  if (fields.size) return text("error.fields", { fields: [...fields].join(", ") });
  if (metadata.credential === "apiKey") return text("error.apiKey");
  return hasText(`error.${reason}`) ? text(`error.${reason}`) : text("error.other");
}

/**
 * A duration as a clock shows it: in hours, minutes and seconds, or in days and hours.
 * @param {number} seconds
 */
export function clockText(seconds) {
  const whole = Math.max(0, Math.round(seconds));
  if (whole >= DAY) return text("page.days", { days: Math.floor(whole / DAY), hours: Math.floor((whole % DAY) / 3600) });
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, index) => String(part).padStart(index ? 2 : 1, "0")).join(":");
}
