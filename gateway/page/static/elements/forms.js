// Controls of forms with their labels.
import { element } from "./dom.js";

/**
 * @param {string} name
 * @param {readonly (readonly (string | undefined)[])[]} choices value and label of each
 * @param {string} [label] for screen readers, if no element has it
 */
export function select(name, choices, label) {
  const options = choices.map(([value, shown]) => element("option", { value }, shown));
  return element("select", { name, "aria-label": label }, ...options);
}

/**
 * @param {string} name
 * @param {number} min
 * @param {number} max
 * @param {number} value
 */
export function number(name, min, max, value) {
  return element("input", { type: "number", name, min, max, value, required: true });
}

/**
 * A control after its label.
 * @param {string} label
 * @param {HTMLElement} control
 */
export function field(label, control) {
  return element("label", { class: "field" }, label, control);
}

/**
 * A checkbox or radio button before its label.
 * @param {string} label
 * @param {HTMLInputElement} control
 * @param {string} [title]
 */
export function choice(label, control, title) {
  return element("label", { class: "choice", title }, control, label);
}
