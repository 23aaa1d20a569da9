import { type JsonValue, ToolError } from "@haft/contract";

/** Limits that a dialect sets in place of the tool's own. */
export interface ReadSettings {
  /** The most bytes of a file that is read without a range, and of a range's text. */
  readonly fileBytes?: number;
  /** A line is cut off after so many bytes. */
  readonly lineBytes?: number;
  readonly defaultLines: number;
  readonly mostLines: number;
  /** A range past the end is empty, and no error. */
  readonly mayPassEnd: boolean;
}

const ownLines = 2_000;

/** Reads what a dialect asks of `read`. */
export function toReadSettings(settings: Readonly<Record<string, JsonValue>>): ReadSettings {
  const { file_bytes, line_bytes, default_lines, most_lines, past_end } = settings;
  return {
    ...(typeof file_bytes === "number" ? { fileBytes: file_bytes } : {}),
    ...(typeof line_bytes === "number" ? { lineBytes: line_bytes } : {}),
    defaultLines: typeof default_lines === "number" ? default_lines : ownLines,
    mostLines: typeof most_lines === "number" ? most_lines : Number.POSITIVE_INFINITY,
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
