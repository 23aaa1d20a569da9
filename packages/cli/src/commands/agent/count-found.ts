type Fields = Readonly<Record<string, unknown>>;

/** Describes how much a search or a read found; `undefined` for other data. */
export function countFound(data: Fields): string | undefined {
  const { matches, files, results, remaining } = data;
  if (Array.isArray(matches)) return countMatches(matches as Fields[]);
  if (isTexts(files)) {
    const more = typeof remaining === "number" && remaining > 0 ? ` and ${remaining} more` : "";
    return `${count(files.length, "file")}${more}`;
  }
  if (Array.isArray(results)) return count(results.length, "result");
  return countRead(data);
}

function countMatches(matches: readonly Fields[]): string {
  const paths = new Set(matches.map(({ path }) => path).filter((path) => path !== undefined));
  const found = count(matches.length, "match", "matches");
  return paths.size === 0 ? found : `${found} in ${count(paths.size, "file")}`;
}

function countRead({
  type,
  content,
  start_line,
  end_line,
  total_lines,
}: Fields): string | undefined {
  if (typeof content !== "string") return undefined;
  if (type === "directory") {
    return count(content === "" ? 0 : content.trimEnd().split("\n").length, "entry", "entries");
  }
  if (type !== "file" || typeof start_line !== "number" || typeof end_line !== "number") {
    return undefined;
  }
  const read = count(end_line - start_line + 1, "line");
  return typeof total_lines === "number" ? `${read} of ${total_lines}` : read;
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
