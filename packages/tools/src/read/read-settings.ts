import { type JsonValue, ToolError } from "@haft/contract";
import { maxShownBytes } from "./read-data.ts";

/** Limits of a dialect that replace the tool's own. */
export interface ReadSettings {
  /** Maximum bytes of a file that is read without a range, and of the text of a range. */
  readonly fileBytes?: number;
  /** Cut lines after this many bytes. */
  readonly lineBytes?: number;
  readonly defaultLines: number;
  readonly maxLines: number;
  /** Maximum bytes of the shown text, with line numbers. */
  readonly maxBytes: number;
  /** A range past the end is empty instead of an error. */
  readonly mayPassEnd: boolean;
}

const ownLines = 2_000;

/** Parses the settings of a dialect for `read`. */
export function toReadSettings(settings: Readonly<Record<string, JsonValue>>): ReadSettings {
  const { file_bytes, line_bytes, default_lines, most_lines, past_end } = settings;
  const { max_bytes, max_lines } = settings;
  const lines = [most_lines, max_lines].filter((value) => typeof value === "number");
  return {
    ...(typeof file_bytes === "number" ? { fileBytes: file_bytes } : {}),
    ...(typeof line_bytes === "number" ? { lineBytes: line_bytes } : {}),
    defaultLines: typeof default_lines === "number" ? default_lines : ownLines,
    maxLines: Math.min(...lines),
    maxBytes: Math.min(maxShownBytes, typeof max_bytes === "number" ? max_bytes : maxShownBytes),
    mayPassEnd: past_end === "empty",
  };
}

/** Throws `too-large` if a file, or a part of it, has more bytes than a dialect allows. */
export function requireSize(
  bytes: number,
  { fileBytes }: ReadSettings,
  about: { readonly path: string; readonly hasRange: boolean },
): void {
  if (fileBytes === undefined || bytes <= fileBytes) return;
  const { path, hasRange } = about;
  throw new ToolError(
    "too-large",
    hasRange
      ? `Too large: these lines of ${path} have ${bytes} bytes, and at most ${fileBytes} are shown. Ask for fewer lines.`
      : `Too large: ${path} has ${bytes} bytes, and at most ${fileBytes} are read at once. Ask for a range of lines.`,
    { absolutePath: path },
  );
}
