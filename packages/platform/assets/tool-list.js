// @ts-check
import { element, fill } from "./element.js";

/** @typedef {import("./api.js").Tool} Tool */

/**
 * Shows the tools as a list to choose from; the first is chosen.
 * @param {{ list: HTMLElement, empty: HTMLElement }} place
 * @param {Tool[]} tools
 * @param {(tool: Tool) => void} choose
 */
export function showTools(place, tools, choose) {
  /** @param {HTMLButtonElement} chosen @param {Tool} tool */
  const onChoose = (chosen, tool) => {
    for (const { button } of items) button.ariaCurrent = button === chosen ? "true" : null;
    choose(tool);
  };
  const items = tools.map((tool) => {
    const button = element(
      "button",
      { type: "button" },
      element("span", { className: "name" }, tool.name),
      element("span", { className: "tag" }, tool.kind),
      element("span", { className: "summary" }, firstSentence(tool.description)),
    );
    button.addEventListener("click", () => onChoose(button, tool));
    return { button, tool };
  });
  fill(place.list, ...items.map(({ button }) => element("li", {}, button)));
  place.empty.hidden = items.length > 0;
  const [first] = items;
  if (first !== undefined) onChoose(first.button, first.tool);
}

/** @param {string} text */
function firstSentence(text) {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
}
