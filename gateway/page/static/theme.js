// Light or dark: as the system has it, or as the person chose.
import { local } from "./storage.js";

/** @typedef {"auto" | "light" | "dark"} Choice */

const STORED = "fireside.theme";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** @returns {Choice} */
export function themeChoice() {
  const stored = local.getItem(STORED);
  return stored === "light" || stored === "dark" ? stored : "auto";
}

/**
 * The theme in use, as pictures name it.
 * @returns {"light" | "dark"}
 */
export function theme() {
  const choice = themeChoice();
  return choice === "auto" ? (dark.matches ? "dark" : "light") : choice;
}

/**
 * Choose a theme for this browser.
 * @param {Choice} choice
 */
export function chooseTheme(choice) {
  local.setItem(STORED, choice);
  applyTheme();
}

/** Show the theme in use, and tell the page in an event `themechange` of the window. */
export function applyTheme() {
  document.documentElement.dataset.theme = theme();
  window.dispatchEvent(new Event("themechange"));
}

dark.addEventListener("change", applyTheme);
