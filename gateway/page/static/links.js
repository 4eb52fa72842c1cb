// Links to send to others, with a button that copies them.
import { button, element } from "./dom.js";
import { text } from "./texts.js";

/**
 * @param {string} label
 * @param {string} url
 */
export function copiedLink(label, url) {
  const field = element("input", { readonly: true, value: url, "aria-label": label, onfocus: () => field.select() });
  const copy = button(text("link.copy"), async () => {
    field.select();
    await navigator.clipboard?.writeText(url); // absent where the page is not from a secure origin
    copy.textContent = text("link.copied");
  });
  return element("div", { class: "link" }, element("span", {}, label), field, copy);
}
