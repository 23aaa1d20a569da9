import type { ShownText } from "./shown-text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Formats a project's checks: the outcome and the findings of each. */
export function toChecksText({ message, checks }: Fields): ShownText | undefined {
  if (typeof message !== "string" || !Array.isArray(checks)) return undefined;
  const lines = (checks as Fields[]).flatMap(({ passed, problems, output }) => [
    ...listOf(problems).map(showProblem),
    ...(passed === false && typeof output === "string" && output !== "" ? [output.trimEnd()] : []),
  ]);
  return { text: lines.join("\n"), remarks: [message] };
}

/** Formats a search: each page with its address and an excerpt. */
export function toSearchText({ results }: Fields): ShownText | undefined {
  if (!Array.isArray(results)) return undefined;
  if (results.length === 0) return { text: "", remarks: ["no results"] };
  const pages = (results as Fields[]).map(({ title, url, snippet }) =>
    [title, url, snippet].filter((one) => typeof one === "string" && one !== "").join("\n"),
  );
  return { text: pages.join("\n\n") };
}

/** Formats earlier threads: each with its title and the text around the match. */
export function toThreadsText({ threads, message }: Fields): ShownText | undefined {
  if (!Array.isArray(threads)) return undefined;
  const lines = (threads as Fields[]).map(
    ({ thread, title, snippet }) => `${thread}  ${title}\n    ${snippet}`,
  );
  return { text: lines.join("\n"), ...(typeof message === "string" && { remarks: [message] }) };
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : [];
}

function showProblem({ file, line, column, code, message }: Fields): string {
  const place = [file, line, column].filter((one) => one !== undefined).join(":");
  const text = code === undefined ? `${message}` : `${message} [${code}]`;
  return place === "" ? text : `${place}: ${text}`;
}
