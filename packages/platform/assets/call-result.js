// @ts-check
import { element } from "./element.js";

/** @typedef {import("./api.js").CallReply} CallReply */
/** @typedef {import("./api.js").Metadata} Metadata */

const textFields = ["content", "message", "text", "output", "stdout"];

/**
 * What came back, in one sentence.
 * @param {string} name
 * @param {CallReply} reply
 */
export function describeReply(name, { result, approval }) {
  if (approval !== undefined) return `${name} waits for your approval.`;
  const { duration_ms, error_code } = result.metadata;
  return result.type === "output"
    ? `${name} is done, after ${duration_ms} ms.`
    : `${name} ended with an error: ${error_code}.`;
}

/**
 * What came back, in full.
 * @param {CallReply} reply
 */
export function showReply({ result }) {
  const metadata = showMetadata(result.metadata);
  if (result.type === "error") {
    const code = element("strong", { className: "tag" }, result.metadata.error_code ?? "error");
    return element(
      "div",
      {},
      element("div", { className: "problem" }, code, showText(result.error_text)),
      metadata,
    );
  }
  const { text, rest } = findText(result.data);
  const more =
    rest === undefined
      ? []
      : [element("details", {}, element("summary", {}, "Other data"), showText(toJson(rest)))];
  return element("div", {}, showText(text), metadata, ...more);
}

/**
 * What is to be approved, with the two ways to decide.
 * @param {import("./api.js").Approval} approval
 * @param {{ approve: () => void, decline: () => void }} decide
 */
export function showApproval(approval, { approve, decline }) {
  return element(
    "div",
    { className: "approval" },
    element("p", {}, element("strong", {}, `Run ${approval.tool} with these arguments?`)),
    element("p", { className: "hint" }, `Asked because of: ${approval.reason}`),
    showArguments(approval.arguments),
    element(
      "div",
      { className: "row" },
      element(
        "button",
        { type: "button", className: "primary", onclick: approve },
        "Approve and run",
      ),
      element("button", { type: "button", onclick: decline }, "Don't run"),
    ),
  );
}

/** @param {unknown} args */
function showArguments(args) {
  const pairs = Object.entries(args ?? {}).map(([name, value]) =>
    element(
      "div",
      {},
      element("dt", { className: "name" }, name),
      // Text as it would be written, with its lines: that is easier to judge than JSON.
      element("dd", {}, showText(typeof value === "string" ? value : toJson(value))),
    ),
  );
  return element("dl", { className: "arguments" }, ...pairs);
}

/** @param {string} text */
function showText(text) {
  // Focusable, so that the keyboard can scroll it.
  return element("pre", { tabIndex: 0 }, text === "" ? "(empty)" : text);
}

/** @param {Metadata} metadata */
function showMetadata(metadata) {
  const facts = [
    `${metadata.duration_ms} ms`,
    metadata.isolation && `isolation: ${metadata.isolation}`,
    metadata.absolute_path && `about: ${metadata.absolute_path}`,
    metadata.track_files?.length && `changed: ${metadata.track_files.join(", ")}`,
    metadata.truncated && "truncated",
    metadata.output_path && `whole output: ${metadata.output_path}`,
    ...(metadata.warnings ?? []).map((warning) => `warning: ${warning}`),
  ].filter((fact) => typeof fact === "string");
  return element("ul", { className: "facts" }, ...facts.map((fact) => element("li", {}, fact)));
}

/**
 * The text that a person wants to see first, and what else there is.
 * @param {unknown} data
 * @returns {{ text: string, rest?: object }}
 */
function findText(data) {
  if (typeof data === "string") return { text: data };
  if (typeof data !== "object" || data === null || Array.isArray(data))
    return { text: toJson(data) };
  for (const field of textFields) {
    const { [field]: text, ...rest } = /** @type {Record<string, unknown>} */ (data);
    if (typeof text === "string") return Object.keys(rest).length > 0 ? { text, rest } : { text };
  }
  return { text: toJson(data) };
}

/** @param {unknown} value */
function toJson(value) {
  return JSON.stringify(value, null, 2) ?? "null";
}
