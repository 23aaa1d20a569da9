import { toRelative } from "@haft/core/internal";
import { hasOnly, showList } from "./show-list.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Data as text: short facts, one per line, and long texts unchanged. Each may be empty. */
export interface ShownData {
  readonly facts: string;
  readonly body: string;
}

/**
 * Formats a result of one of our tools, recognised by its fields, without facts that say nothing.
 * Returns `undefined` for any other data.
 */
export function showOwnResult(data: Fields, roots: readonly string[]): ShownData | undefined {
  for (const show of [showRange, showCommand, showFound, showEdit, showMessage]) {
    const shown = show(data, roots);
    if (shown !== undefined) return shown;
  }
  return undefined;
}

// `read`: a file or a directory.
function showRange(data: Fields, roots: readonly string[]): ShownData | undefined {
  const { path, type, content, start_line, end_line, total_lines, next_offset } = data;
  const { start_byte, end_byte, size, encoding } = data;
  if (type !== "file" && type !== "directory") return undefined;
  if (!hasOnly(data, rangeKeys) || typeof path !== "string" || typeof content !== "string") {
    return undefined;
  }
  const unit = type === "file" ? "lines" : "entries";
  const one = type === "file" ? "1 line" : "1 entry";
  const isWhole = start_line === 1 && end_line === total_lines && next_offset === undefined;
  const of = total_lines === undefined ? "" : ` of ${total_lines}`;
  const shown =
    start_byte !== undefined
      ? `bytes ${start_byte} to ${end_byte} of ${size}`
      : isWhole
        ? total_lines === 1
          ? one
          : `${total_lines} ${unit}`
        : start_line === undefined
          ? `no ${unit}${of}`
          : `${unit} ${start_line} to ${end_line}${of}`;
  const facts = [
    `${toRelative(path, roots)}: ${shown}`,
    ...(encoding === undefined ? [] : [`encoding: ${encoding}`]),
    ...(next_offset === undefined ? [] : [`next_offset: ${next_offset}`]),
    ...(end_byte === undefined || end_byte === size ? [] : [`next byte_offset: ${end_byte}`]),
  ];
  return { facts: facts.join("\n"), body: content };
}

const rangeKeys = [
  ...["path", "type", "content", "start_line", "end_line", "total_lines", "next_offset"],
  ...["start_byte", "end_byte", "size", "encoding"],
];

// `bash`, if nothing unusual happened.
function showCommand(data: Fields): ShownData | undefined {
  const { output, exit_code: code } = data;
  if (!hasOnly(data, ["output", "exit_code"]) || typeof output !== "string") return undefined;
  if (typeof code !== "number") return undefined;
  return { facts: `exit_code: ${code}`, body: output === "" ? "(no output)" : output };
}

// `grep` and `glob`: the message, which has the counts, comes first.
function showFound(data: Fields, roots: readonly string[]): ShownData | undefined {
  const { matches, files, remaining, message, note } = data;
  const isGlob = hasOnly(data, ["files", "remaining", "message"]) && typeof remaining === "number";
  const isGrep = hasOnly(data, grepKeys) && Array.isArray(matches);
  const list = isGrep ? matches : isGlob ? files : undefined;
  if (!Array.isArray(list)) return undefined;
  const body = list.length === 0 ? "" : showList(list, roots);
  if (body === undefined || (message !== undefined && typeof message !== "string")) {
    return undefined;
  }
  const said = [
    ...(message === undefined ? [] : [message]),
    ...(typeof note === "string" ? [note] : []),
    ...(isGlob && remaining > 0 ? [`remaining: ${remaining}`] : []),
  ];
  const isSilent = said.length === 0 && body === "";
  return { facts: isSilent ? "No files match." : said.join("\n"), body };
}

const grepKeys = ["matches", "truncated", "message", "note"];

// `edit`: the diff has the lines, and a message names every other strategy than an exact match.
function showEdit(data: Fields, roots: readonly string[]): ShownData | undefined {
  const { path, diff, replacements, strategy, message, guidance } = data;
  if (!hasOnly(data, editKeys) || typeof path !== "string" || typeof diff !== "string") {
    return undefined;
  }
  if (typeof strategy !== "string" || diff === "") return undefined;
  const facts = [
    `${toRelative(path, roots)}: ${replacements} ${replacements === 1 ? "replacement" : "replacements"}`,
    ...(typeof message === "string" ? [message] : []),
    ...(Array.isArray(guidance) ? [`guidance: ${guidance.join(", ")}`] : []),
  ];
  return { facts: facts.join("\n"), body: diff };
}

const editKeys = ["path", "diff", "line_range", "replacements", "strategy", "message", "guidance"];

// `write`, `delete_file` and `move_file` say it all in one sentence.
function showMessage(data: Fields): ShownData | undefined {
  const { message, ...rest } = data;
  const isOwn = hasOnly(rest, ["path", "created", "bytes"]) || hasOnly(rest, ["from", "to"]);
  if (!isOwn || typeof message !== "string") return undefined;
  const paths = [rest.path, rest.from, rest.to].filter((path) => path !== undefined);
  if (paths.length === 0) return undefined;
  const saysAll = paths.every((path) => typeof path === "string" && message.includes(path));
  return saysAll ? { facts: "", body: message } : undefined;
}
