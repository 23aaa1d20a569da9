// @ts-check
import { element, fill } from "./element.js";
import { toVisibleParts } from "./visible-text.js";

/** @typedef {import("./api.js").RecentCall} RecentCall */

/**
 * Shows the calls that ended, newest first.
 * @param {{ list: HTMLElement, empty: HTMLElement }} place
 * @param {RecentCall[]} calls
 */
export function showRecentCalls(place, calls) {
  fill(place.list, ...calls.map(showCall));
  place.empty.hidden = calls.length > 0;
}

/** @param {RecentCall} call */
function showCall(call) {
  const { error_code, duration_ms } = call.metadata;
  const ended = new Date(call.ended_at);
  return element(
    "li",
    { title: toVisible(call.error_text ?? "") },
    element("time", { dateTime: call.ended_at }, ended.toLocaleTimeString()),
    element("span", { className: "name" }, call.name),
    element("span", { className: error_code ? "tag bad" : "tag" }, error_code ?? call.state),
    element("span", { className: "hint" }, `${duration_ms} ms`),
    element("code", {}, call.arguments),
  );
}

/** @param {string} text */
function toVisible(text) {
  return toVisibleParts(text)
    .map((part) => part.text)
    .join("");
}
