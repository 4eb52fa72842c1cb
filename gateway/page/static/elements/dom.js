// Small builder of elements. Texts go in as text nodes only: nothing from the service is parsed as HTML.

/** @typedef {Node | string | null | undefined | false} Child */
/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Value */

/**
 * An element with attributes and children. A function is a listener (`onclick`), true an empty attribute, false, null
 * and undefined none.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, Value>} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, String(value));
  }
  fill(made, ...children);
  return made;
}

/**
 * Replace the children of an element.
 * @param {Element} parent
 * @param {Child[]} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false));
}

/**
 * A button.
 * @param {string} label
 * @param {(event: MouseEvent) => void} onclick
 * @param {Record<string, Value>} [attributes]
 */
export function button(label, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, label);
}

/**
 * A link within the page, which the router follows without loading the document again.
 * @param {string} href
 * @param {Child[]} children
 */
export function link(href, ...children) {
  return element("a", { href }, ...children);
}

/**
 * Go to a path of the page.
 * @param {string} path
 */
export function go(path) {
  history.pushState(null, "", path);
  scrollTo(0, 0);
  dispatchEvent(new PopStateEvent("popstate"));
}

/**
 * Show a path of the page instead of the present one.
 * @param {string} path
 */
export function replace(path) {
  history.replaceState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

/**
 * An SVG document as an element that can be inserted; ids of its parts stay.
 * @param {string} text
 * @returns {SVGSVGElement}
 */
export function pictureElement(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (!(root instanceof SVGSVGElement)) throw new TypeError("the picture is not SVG");
  return document.importNode(root, true);
}

/**
 * Ask the person for a text that others are not to see.
 * @param {string} question
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<string>} empty if the person gives none
 */
export function askedSecret(question, yes, no) {
  return new Promise((done) => {
    const input = element("input", { type: "password", autocomplete: "off", "aria-label": question, autofocus: true });
    const onclose = () => (dialog.remove(), done(dialog.returnValue === "yes" ? input.value.trim() : ""));
    /** @param {SubmitEvent} event */
    const onsubmit = (event) => (event.preventDefault(), dialog.close("yes")); // the policy of the page forbids to submit
    const actions = element("p", { class: "actions" }, element("button", { type: "submit" }, yes), button(no, () => dialog.close()));
    const dialog = element(
      "dialog",
      { "aria-label": question, onclose },
      element("form", { onsubmit }, element("p", {}, question), input, actions),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Ask the person, who confirms by a button.
 * @param {string} question
 * @param {string} yes
 * @param {string} no
 * @returns {Promise<boolean>}
 */
export function confirmed(question, yes, no) {
  return new Promise((done) => {
    const dialog = element(
      "dialog",
      { "aria-label": question, onclose: () => (dialog.remove(), done(dialog.returnValue === "yes")) },
      element("p", {}, question),
      element("p", { class: "actions" }, button(yes, () => dialog.close("yes")), button(no, () => dialog.close(), { autofocus: true })),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
