// Form of a new match: seats, preset, options, clock. Fields of the options come from the service, as do their names.
import { startMatch } from "../api.js";
import { element, fill, go } from "../elements/dom.js";
import { choice, field, select } from "../elements/forms.js";
import { strengths } from "../elements/strengths.js";
import { errorText, text } from "../words/texts.js";

/** @typedef {import("../api.js").Schemas["Catalog.Game"]} Game */
/** @typedef {{name: string, type: string, values: string[], description: string}} Option */
/** @typedef {{name: string, options: Record<string, unknown>}} Preset */
/**
 * @typedef {object} Components
 * @property {string} summary
 * @property {number} minSeats
 * @property {number} maxSeats
 * @property {readonly Preset[]} presets
 * @property {readonly import("../elements/strengths.js").BotKind[]} bots
 * @property {Record<string, string>} names
 */

const PERSON = "";
const OPEN = "open";
const LONGEST_NAME = 64;
/** The offered clocks, by the last part of the key of their names. */
const CLOCKS = {
  none: undefined,
  minute: { moveSeconds: 60 },
  bank: { bankSeconds: 5 * 60, incrementSeconds: 10 },
  days: { moveSeconds: 3 * 24 * 60 * 60 },
};

/**
 * @param {Game} game
 * @param {Components} components
 */
export function setupForm(game, components) {
  const { minSeats, maxSeats, presets, names } = components;
  const players = element("fieldset", {});
  const options = element("div", { class: "options" });
  const count = select(
    "seats",
    Array.from({ length: maxSeats - minSeats + 1 }, (_, more) => [String(minSeats + more), String(minSeats + more)]),
  );
  const preset = select(
    "preset",
    presets.map(({ name }) => [name, names[`preset.${name}`] ?? name]),
  );
  const showOptions = () => {
    const chosen = presets.find(({ name }) => name === preset.value)?.options ?? {};
    const fields = game.options.map((option) => optionField(option, chosen[option.name], names, Number(count.value)));
    fill(options, ...fields);
  };
  const showSeats = () => {
    fill(players, element("legend", {}, text("setup.players")), ...seatRows(Number(count.value), components));
    showOptions();
  };
  count.addEventListener("change", showSeats);
  preset.addEventListener("change", showOptions);
  showSeats();
  const clocks = select(
    "clock",
    Object.keys(CLOCKS).map((name) => [name, text(`setup.clock.${name}`)]),
  );
  const secret = element("input", { type: "checkbox", onchange: () => (listed.checked &&= !secret.checked) });
  const listed = element("input", { type: "checkbox", onchange: () => (secret.checked &&= !listed.checked) });
  const hints = element("input", { type: "checkbox" });
  const openAfter = element("input", { type: "checkbox" });
  const delay = element("input", { type: "number", min: 0, max: 1000, value: 0, required: true });
  const problem = element("p", { role: "alert" });
  /** @param {SubmitEvent} event */
  const onsubmit = async (event) => {
    event.preventDefault();
    const clock = CLOCKS[/** @type {keyof typeof CLOCKS} */ (clocks.value)];
    const chosen = chosenOptions(options, game.options);
    try {
      go(await startMatch(game.name, { seats: chosenSeats(players), options: chosen, private: secret.checked, listed: listed.checked, hints: hints.checked, openAfter: openAfter.checked, spectatorDelay: Number(delay.value), ...(clock && { clock }) }));
    } catch (error) {
      fill(problem, errorText(error, (field) => labelOf(field, names)));
    }
  };
  return element(
    "form",
    { class: "setup", onsubmit },
    field(text("setup.seats"), count),
    players,
    element("p", { class: "small" }, text("setup.people")),
    field(text("setup.preset"), preset),
    element("details", {}, element("summary", {}, text("setup.options")), options),
    field(text("setup.clock"), clocks),
    choice(text("setup.private"), secret),
    choice(text("setup.listed"), listed),
    choice(text("setup.hints"), hints),
    choice(text("setup.openAfter"), openAfter),
    field(text("setup.delay"), delay),
    element("button", { type: "submit", class: "main" }, text("setup.start")),
    problem,
  );
}

/**
 * A row for each seat: who plays it, and the name of this person, who has one seat at most.
 * @param {number} count
 * @param {Components} components
 */
function seatRows(count, { bots, names }) {
  const found = strengths(bots, names).map(({ bot, label, level }) => [bot, level === label ? label : `${level} (${label})`]);
  /** @type {HTMLSelectElement[]} */
  const players = [];
  return Array.from({ length: count }, (_, seat) => {
    const number = text("player.seat", { number: seat + 1 });
    const player = select("player", [[PERSON, text("setup.person")], [OPEN, text("setup.open")], ...found], number);
    players.push(player);
    const name = element("input", {
      maxlength: LONGEST_NAME,
      autocomplete: "off",
      placeholder: text("setup.name"),
      "aria-label": `${number}: ${text("setup.name")}`,
    });
    if (seat) player.value = found[Math.min(1, found.length - 1)]?.[0] ?? PERSON;
    const showName = () => (name.hidden = player.value !== PERSON);
    player.addEventListener("change", () => {
      const others = players.filter((each) => each !== player && each.value === PERSON && player.value === PERSON);
      for (const other of others) {
        other.value = OPEN;
        other.dispatchEvent(new Event("change"));
      }
      showName();
    });
    showName();
    return element("div", { class: "seat" }, element("span", { "aria-hidden": "true" }, number), player, name);
  });
}

/** @param {HTMLElement} players */
function chosenSeats(players) {
  return [...players.querySelectorAll(".seat")].map((row) => {
    const bot = row.querySelector("select")?.value;
    if (bot === OPEN) return { open: {} };
    return bot ? { bot } : { name: row.querySelector("input")?.value ?? "" };
  });
}

/**
 * A control for an option, with the value of the preset.
 * @param {Option} option
 * @param {unknown} value
 * @param {Record<string, string>} names
 * @param {number} seats whose number a list has, one value for each
 */
function optionField({ name, type, values, description }, value, names, seats) {
  const label = capitalised(optionLabel(name, names));
  const choices = [["", text("setup.default")], ...values.map((each) => [each, names[each] ?? each])];
  if (type === "bool") {
    return choice(label, element("input", { type: "checkbox", name, checked: value === true }), description);
  }
  if (type === "enum[]") {
    const lists = Array.from({ length: seats }, (_, seat) => field(text("player.seat", { number: seat + 1 }), select(name, choices)));
    return element("fieldset", {}, element("legend", {}, label), ...lists);
  }
  if (type === "enum") {
    const control = select(name, choices);
    control.value = String(value ?? "");
    return field(label, control);
  }
  if (name.endsWith("Seat")) {
    const numbers = Array.from({ length: seats }, (_, seat) => [String(seat), text("player.seat", { number: seat + 1 })]);
    return field(label, select(name, [["", text("setup.default")], ...numbers]));
  }
  const given = value ? String(value) : "";
  return field(label, element("input", { type: "number", name, placeholder: text("setup.default"), value: given }));
}

/** @param {string} words */
const capitalised = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** @param {string} name @param {Record<string, string>} names of the game */
function optionLabel(name, names) {
  return names[`option.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`] ?? name;
}

/**
 * What the form calls a field of the request.
 * @param {string} field
 * @param {Record<string, string>} names of the game
 */
function labelOf(field, names) {
  const [, option, seat] = /^options\.(\w+)|^seats\[(\d+)\]/.exec(field) ?? [];
  if (option) return optionLabel(option, names);
  if (seat) return text("player.seat", { number: Number(seat) + 1 });
  if (field === "seats") return text("setup.seats");
  if (field === "spectatorDelay") return text("setup.delay");
  return field.startsWith("clock") ? text("setup.clock") : undefined;
}

/**
 * The options that the person chose; those left to the service are absent.
 * @param {HTMLElement} form
 * @param {readonly Option[]} options
 */
function chosenOptions(form, options) {
  /** @type {Record<string, unknown>} */
  const chosen = {};
  for (const { name, type } of options) {
    const controls = [.../** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`[name="${name}"]`))];
    const values = controls.map(({ value }) => value);
    if (type === "bool") chosen[name] = controls[0]?.checked ?? false;
    else if (values.every(Boolean)) chosen[name] = type === "enum[]" ? values : type === "enum" ? values[0] : Number(values[0]);
  }
  return chosen;
}
