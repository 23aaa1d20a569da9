type Fields = Readonly<Record<string, unknown>>;

/**
 * A list as lines: names, matching lines of files, changes with their diffs, or texts. `undefined`
 * unless every item is of the one kind and has nothing that its lines would not tell.
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
    `${path}:${line}: ${text}${clipped === true ? "… [the line goes on]" : ""}`,
    ...around(after, line + 1),
  ].join("\n");
}

function showChange(item: unknown): string | undefined {
  if (!isFields(item) || typeof item.path !== "string" || typeof item.action !== "string") {
    return undefined;
  }
  const { path, action, diff, ...rest } = item;
  if (diff !== undefined && typeof diff !== "string") return undefined;
  const facts = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
  const head = `${action} ${path}${facts}`;
  return diff === undefined || diff === "" ? head : `${head}\n${diff.replace(/\n$/u, "")}`;
}

// What MCP servers send: texts, and images whose bytes have given way to their names.
function showContent(item: unknown): string | undefined {
  if (!isFields(item)) return undefined;
  if (item.type === "text" && hasOnly(item, ["type", "text"])) {
    return typeof item.text === "string" ? item.text : undefined;
  }
  if (item.type === "image" && hasOnly(item, ["type", "data", "mimeType"])) {
    return String(item.data);
  }
  return typeof item.type === "string" ? JSON.stringify(item) : undefined;
}

function hasOnly(item: unknown, keys: readonly string[]): item is Fields {
  return isFields(item) && Object.keys(item).every((key) => keys.includes(key));
}

function isFields(item: unknown): item is Fields {
  return typeof item === "object" && item !== null && !Array.isArray(item);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
