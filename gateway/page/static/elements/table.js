// Table of texts with headings for its columns and rows, which scrolls sideways where it is too wide.
import { element } from "./dom.js";

/**
 * @param {string} caption
 * @param {readonly string[]} columns
 * @param {readonly (readonly (string | Node)[])[]} rows
 * @param {number} heading index of the column that names a row
 */
export function table(caption, columns, rows, heading) {
  return element(
    "div",
    { class: "scrolled", tabindex: 0, role: "region", "aria-label": caption },
    element(
      "table",
      {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, ...rows.map((cells) => tableRow(cells, heading))),
    ),
  );
}

/**
 * @param {readonly (string | Node)[]} cells
 * @param {number} heading index of the cell that names the row
 */
export function tableRow(cells, heading) {
  /** @type {(cell: string | Node, at: number) => HTMLTableCellElement} */
  const made = (cell, at) => (at === heading ? element("th", { scope: "row" }, cell) : element("td", {}, cell));
  return element("tr", {}, ...cells.map(made));
}
