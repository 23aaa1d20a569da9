import { toCommandLine } from "../dialects/codex/command-line.ts";
import type { Given } from "../dialects/shared/given.ts";
import { foldName } from "../registry/nearest-names.ts";

/** Converts values that other families of agents write in another form, by the tool's ID. */
export const reshape: Readonly<Record<string, (given: Given) => Given>> = {
  read: toLines,
  multi_edit: toEdits,
  grep: toCase,
  bash: toCommand,
};

const ranges = new Set(["viewrange", "readrange", "linerange", "lines"]);
const starts = new Set(["offset", "startline", "startlineoneindexed", "linestart"]);
const ends = new Set(["endline", "endlineoneindexedinclusive", "endlineoneindexed", "lineend"]);

/** Converts a first and a last line to an offset and a limit. -1 stands for the end of the file. */
function toLines(given: Given): Given {
  const pick = (names: ReadonlySet<string>): [string, unknown] | undefined =>
    Object.entries(given).find(([name]) => names.has(foldName(name)));
  const [range, start, end] = [pick(ranges), pick(starts), pick(ends)];
  if (range === undefined && end === undefined) return given;
  if (range !== undefined && !(Array.isArray(range[1]) && range[1].length === 2)) return given;
  const [first = 1, last] =
    range === undefined ? [start?.[1], end?.[1]] : (range[1] as readonly unknown[]);
  const [from, to] = [Number(first), last === undefined ? -1 : Number(last)];
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1) return given;
  if (to !== -1 && to < from) return given;
  const used = [range?.[0], end?.[0], range === undefined ? start?.[0] : undefined];
  const rest = Object.entries(given).filter(([name]) => !used.includes(name));
  const limit = to === -1 ? [] : [["limit", to - from + 1] as const];
  return Object.fromEntries([...rest, ["offset", from], ...limit]);
}

/** Converts blocks from `<<<<<<< SEARCH` to `>>>>>>> REPLACE` to edits. */
function toEdits(given: Given): Given {
  const [name, diff] = Object.entries(given).find(([key]) => foldName(key) === "diff") ?? [];
  const edits = typeof diff === "string" ? parseBlocks(diff.split(/\r?\n/u)) : undefined;
  if (edits === undefined || edits.length === 0) return given;
  const rest = Object.entries(given).filter(([key]) => key !== name);
  return Object.fromEntries([...rest, ["edits", edits]]);
}

const opening = /^(?:<{5,9}|-{5,9}) ?SEARCH>?$/u;
const middle = /^={5,9}$/u;
const closing = /^(?:>{5,9}|\+{5,9}) ?REPLACE>?$/u;
const position = /^(?::(?:start|end)_line: ?\d+|-{5,9})$/u;

/** Returns the edits of all blocks; `undefined` if there is anything else, or a block is ambiguous. */
function parseBlocks(
  lines: readonly string[],
): { old_string: string; new_string: string }[] | undefined {
  const edits: { old_string: string; new_string: string }[] = [];
  let old: string[] | undefined;
  let now: string[] | undefined;
  for (const line of lines) {
    const mark = line.trimEnd();
    if (old === undefined) {
      if (opening.test(mark)) old = [];
      else if (mark !== "") return undefined;
    } else if (now === undefined) {
      if (opening.test(mark) || closing.test(mark)) return undefined;
      if (middle.test(mark)) now = [];
      else if (old.length > 0 || !position.test(mark)) old.push(line);
    } else if (closing.test(mark)) {
      edits.push({ old_string: old.join("\n"), new_string: now.join("\n") });
      [old, now] = [undefined, undefined];
    } else {
      if (opening.test(mark) || middle.test(mark)) return undefined;
      now.push(line);
    }
  }
  return old === undefined ? edits : undefined;
}

const ignoringCase = new Set(["ignorecase", "caseinsensitive", "i"]);

function toCase(given: Given): Given {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) =>
      ignoringCase.has(foldName(name)) && typeof value === "boolean"
        ? ["case_sensitive", !value]
        : [name, value],
    ),
  );
}

/** Joins the words of a command, and reads a large time limit as milliseconds. */
function toCommand(given: Given): Given {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (name === "timeout" && Number(value) >= minMs) return ["timeout_ms", value];
      const isList = Array.isArray(value) && value.every((word) => typeof word === "string");
      return [name, isList && value.length > 0 ? toCommandLine(value) : value];
    }),
  );
}

// As seconds, these would be hours.
const minMs = 10_000;
