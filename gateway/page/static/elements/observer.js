// Choice of the observer whose view of a finished match is shown: this person or a spectator, or another seat.
import { element } from "./dom.js";
import { field } from "./forms.js";
import { playerName } from "./standings.js";
import { text } from "../words/texts.js";

/**
 * @param {readonly {name?: string, bot?: string}[]} seats
 * @param {number | undefined} own seat; a spectator without one
 * @param {(seat: number | undefined) => void} onchoice called with the chosen seat; undefined for the first choice
 */
export function observerField(seats, own, onchoice) {
  const first = own === undefined ? text("replay.spectator") : playerName(seats, own);
  const others = seats.map((_, seat) => seat).filter((seat) => seat !== own);
  const options = others.map((seat) => element("option", { value: seat }, playerName(seats, seat)));
  const onchange = () => onchoice(select.value ? Number(select.value) : undefined);
  const select = element("select", { onchange }, element("option", { value: "" }, first), ...options);
  return field(text("replay.observer"), select);
}
