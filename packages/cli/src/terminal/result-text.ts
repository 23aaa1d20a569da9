import { toCommandText, toJobsText } from "./command-text.ts";
import { findDiffs } from "./find-diffs.ts";
import { toChecksText, toSearchText, toThreadsText } from "./found-text.ts";
import type { ShownText } from "./shown-text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Returns what people want to see of a call's data, or all of it if nothing stands out. */
export function toResultText(data: unknown): ShownText {
  if (typeof data === "string") return { text: data };
  if (isTexts(data)) return { text: data.join("\n") };
  if (typeof data === "object" && data !== null) {
    const shown = showFields(data as Fields);
    if (shown !== undefined) return shown;
  }
  return { text: JSON.stringify(data, undefined, 2) };
}

function showFields(data: Fields): ShownText | undefined {
  if (data.type === "image" && typeof data.data === "string") return { text: showImage(data) };
  if (Array.isArray(data.matches)) return showMatches(data);
  if (isTexts(data.files)) return showFiles(data.files, data);
  const own =
    toCommandText(data) ??
    toJobsText(data) ??
    toChecksText(data) ??
    toSearchText(data) ??
    toThreadsText(data);
  if (own !== undefined) return own;
  if (typeof data.text === "string" && "url" in data) return withRemarks([data.text], data.note);
  const diff = findDiffs(data).join("");
  if ("result" in data && Object.keys(data).every((key) => programFields.has(key))) {
    return { text: showProgram(data) };
  }
  for (const field of ["content", "output", "message", "head"]) {
    const value = data[field];
    if (typeof value === "string") return { text: diff === "" ? value : `${value}\n${diff}` };
  }
  return diff === "" ? undefined : { text: diff };
}

const programFields = new Set(["output", "result", "notes"]);

function showProgram({ output = "", result }: Fields): string {
  const returned = JSON.stringify(result, undefined, 2);
  return output === "" ? returned : `${String(output).trimEnd()}\n${returned}`;
}

// The bytes of an image are not shown.
function showImage({ path, media_type, data }: Fields): string {
  const letters = (data as string).replace(/=+$/u, "").length;
  const image = `${media_type ?? "image"}, ${Math.floor((letters * 3) / 4)} bytes`;
  return typeof path === "string" ? `${path}: ${image}` : image;
}

function showMatches({ matches, message, note }: Fields): ShownText {
  const lines = (matches as Fields[]).flatMap((match) => {
    const { path, line, text, clipped, before = [], after = [] } = match;
    const first = (line as number) - (before as string[]).length;
    const around = (texts: unknown, start: number): string[] =>
      (texts as string[]).map((one, index) => `${path}-${start + index}- ${one}`);
    return [
      ...around(before, first),
      `${path}:${line}: ${text}${clipped === true ? "…" : ""}`,
      ...around(after, (line as number) + 1),
    ];
  });
  return withRemarks(lines, note, message);
}

function showFiles(files: readonly string[], { remaining, message }: Fields): ShownText {
  if (files.length === 0) return withRemarks([], message ?? "no matching files");
  const more = typeof remaining === "number" && remaining > 0 ? `${remaining} more` : undefined;
  return withRemarks(files, message, more);
}

function withRemarks(lines: readonly string[], ...given: readonly unknown[]): ShownText {
  const text = lines.join("\n");
  const remarks = given.filter((remark) => typeof remark === "string");
  return remarks.length === 0 ? { text } : { text, remarks };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
