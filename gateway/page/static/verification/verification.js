// Panel that verifies a record in the browser and says in words what is proved, and by what.
import { notes } from "./notes.js";
import { button, element, fill } from "../elements/dom.js";
import { field } from "../elements/forms.js";
import { copied } from "../elements/share.js";
import { errorText, text } from "../words/texts.js";
import { verify } from "./verify.js";

/** @import { Check, Trusted, Verification } from "./verify.js" */
/** @typedef {{matchId: string, commitment: string, publicKey?: string}} Claims What a record says of itself. */

const MARKS = { passed: "✓", failed: "✗", unknown: "?" };

/**
 * A button that verifies, fields for what the person knows, and a place for the result.
 * @param {string} record in JSON
 * @param {Claims} claims
 * @param {() => Promise<readonly object[]>} seenLog the log as this browser may see it
 * @param {number} [seat] that this browser played
 */
export function verificationPanel(record, claims, seenLog, seat) {
  const noted = notes(claims.matchId, seat);
  const commitment = input(text("verify.known.commitment"), noted.commitment);
  const key = input(text("verify.known.key"), noted.publicKeys?.join(" "));
  const result = element("div", { class: "verification", "aria-live": "polite" });
  const onclick = async () => {
    fill(result, element("p", {}, text("verify.running")));
    const publicKeys = key.value.split(/[\s,]+/).filter(Boolean);
    /** @type {Trusted} */
    const trusted = { publicKeys, ...(commitment.value && { commitment: commitment.value }) };
    const events = noted.head ? await seenLog().catch(() => undefined) : undefined;
    if (events && noted.head) trusted.seen = { events: /** @type {any} */ (events), head: noted.head };
    try {
      const fields = await (await fetch(new URL("record-fields.json", import.meta.url))).json();
      fill(result, ...report(await verify(record, fields, trusted)), command(claims.matchId, trusted));
    } catch (error) {
      fill(result, element("p", { role: "alert" }, errorText(error)));
    }
  };
  return element(
    "section",
    { "aria-label": text("verify.title") },
    element("h2", {}, text("verify.title")),
    element("p", {}, text("verify.about")),
    button(text("verify.run"), onclick, { class: "main" }),
    element(
      "details",
      {},
      element("summary", {}, text("verify.known")),
      element("p", {}, text("verify.known.about")),
      field(text("verify.known.commitment"), commitment),
      field(text("verify.known.key"), key),
    ),
    result,
  );
}

/** @param {Verification} verification */
function report({ verdict, checks, head }) {
  const items = checks.map((check) =>
    element("li", { class: check.outcome }, element("span", { "aria-hidden": "true" }, MARKS[check.outcome]), sentence(check)),
  );
  return [
    element("p", { class: `verdict ${verdict}` }, text(`verify.verdict.${verdict}`)),
    element("ul", { class: "checks" }, ...items),
    head && element("p", { class: "small" }, text("verify.head", { head })),
  ];
}

/** @param {Check} check */
function sentence({ name, outcome, reason, facts }) {
  return `${text(`verify.outcome.${outcome}`)}: ${text(`verify.${name}.${reason}`, facts)}`;
}

/** The command that also verifies the draws, with the same knowledge.
 * @param {string} matchId @param {Trusted} trusted */
function command(matchId, { commitment, publicKeys }) {
  const words = ["fireside", "verify", fileName(matchId)];
  if (commitment) words.push("--commitment", commitment);
  if (publicKeys?.length) words.push("--public-key", String(publicKeys[publicKeys.length - 1]));
  return element("div", {}, element("p", {}, text("verify.draws")), copied(text("verify.command"), words.join(" ")));
}

/** The name of the file in which a record is stored.
 * @param {string} matchId */
export function fileName(matchId) {
  return `${matchId.replace(/[^\w-]/g, "_") || "record"}.json`;
}

/** @param {string} label @param {string} [value] */
function input(label, value = "") {
  return element("input", { value, spellcheck: "false", autocomplete: "off", "aria-label": label });
}
