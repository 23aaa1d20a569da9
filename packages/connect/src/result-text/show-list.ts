import { isPlainObject } from "@haft/contract/internal";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Formats a list as lines: names, matches in files, changes with diffs, or texts. Returns `undefined`
 * unless all items are of the same kind and the lines would show every field.
 */
export function showList(items: readonly unknown[]): string | undefined {
  if (items.length === 0) return undefined;
  for (const show of [showName, showMatch, showChange, showContent]) {
    const shown = items.map(show);
    if (shown.every((one) => one !== undefined)) return shown.join("\n");
  }
  return undefined;
}

function showName(item: unknown): string | undefined {
  return typeof item === "string" && item !== "" && !/[\r\n]/u.test(item) ? item : undefined;
}

function showMatch(item: unknown): string | undefined {
  if (!hasOnly(item, ["path", "line", "text", "clipped", "before", "after"])) return undefined;
  const { path, line, text, clipped, before = [], after = [] } = item;
  if (typeof path !== "string" || typeof line !== "number" || typeof text !== "string") {
    return undefined;
  }
  if (!isTexts(before) || !isTexts(after)) return undefined;
  const around = (texts: readonly string[], first: number): string[] =>
    texts.map((one, index) => `${path}-${first + index}- ${one}`);
  return [
    ...around(before, line - before.length),
    `${path}:${line}: ${text}${clipped === true ? "… [line truncated]" : ""}`,
    ...around(after, line + 1),
  ].join("\n");
}

function showChange(item: unknown): string | undefined {
  if (!isPlainObject(item) || typeof item.path !== "string" || typeof item.action !== "string") {
    return undefined;
  }
  const { path, action, diff, ...rest } = item;
  if (diff !== undefined && typeof diff !== "string") return undefined;
  const facts = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
  const head = `${action} ${path}${facts}`;
  return diff === undefined || diff === "" ? head : `${head}\n${diff.replace(/\n$/u, "")}`;
}

// Content of MCP servers: texts, and images whose bytes were replaced by names.
function showContent(item: unknown): string | undefined {
  if (!isPlainObject(item)) return undefined;
  if (item.type === "text" && hasOnly(item, ["type", "text"])) {
    return typeof item.text === "string" ? item.text : undefined;
  }
  if (item.type === "image" && hasOnly(item, ["type", "data", "mimeType"])) {
    return String(item.data);
  }
  return typeof item.type === "string" ? JSON.stringify(item) : undefined;
}

function hasOnly(item: unknown, keys: readonly string[]): item is Fields {
  return isPlainObject(item) && Object.keys(item).every((key) => keys.includes(key));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
