import { isPlainObject } from "@haft/contract/internal";
import { toRelative } from "@haft/core/internal";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Formats a list as lines: names, matches in files, changes with diffs, or texts. Returns `undefined`
 * unless all items are of the same kind and the lines would show every field.
 */
export function showList(items: readonly unknown[], roots: readonly string[]): string | undefined {
  if (items.length === 0) return undefined;
  const matches = items.filter(isMatch);
  if (matches.length === items.length) return showMatches(matches, roots);
  for (const show of [showName, showChange, showContent]) {
    const shown = items.map(show);
    if (shown.every((one) => one !== undefined)) return shown.join("\n");
  }
  return undefined;
}

function showName(item: unknown): string | undefined {
  return typeof item === "string" && item !== "" && !/[\r\n]/u.test(item) ? item : undefined;
}

interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly clipped?: boolean;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

function isMatch(item: unknown): item is Match {
  if (!hasOnly(item, ["path", "line", "text", "clipped", "before", "after"])) return false;
  const { path, line, text, before = [], after = [] } = item;
  const isLine = typeof path === "string" && typeof line === "number" && typeof text === "string";
  return isLine && isTexts(before) && isTexts(after);
}

// Each file is named once, above its lines. Lines around a match have a dash where it has a colon.
function showMatches(matches: readonly Match[], roots: readonly string[]): string {
  const files = Map.groupBy(matches, ({ path }) => path);
  return Array.from(files, ([path, found]) =>
    [toRelative(path, roots), ...found.flatMap(showMatch)].join("\n"),
  ).join("\n\n");
}

function showMatch({ line, text, clipped, before = [], after = [] }: Match): string[] {
  const around = (texts: readonly string[], first: number): string[] =>
    texts.map((one, index) => `${first + index}- ${one}`);
  return [
    ...around(before, line - before.length),
    `${line}: ${text}${clipped === true ? "… [line truncated]" : ""}`,
    ...around(after, line + 1),
  ];
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
  if (
    item.type === "image" &&
    hasOnly(item, ["type", "data", "mimeType", "media_type", "detail"])
  ) {
    return String(item.data);
  }
  return typeof item.type === "string" ? JSON.stringify(item) : undefined;
}

/** Tells whether a value is an object without other fields than these. */
export function hasOnly(item: unknown, keys: readonly string[]): item is Fields {
  return isPlainObject(item) && Object.keys(item).every((key) => keys.includes(key));
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
