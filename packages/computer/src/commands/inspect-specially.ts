import type { ReadWord } from "@haft/core";
import type { BareCommand } from "./bare-command.ts";
import type { ReadingDraft } from "./reading-draft.ts";
import type { ArgumentScan, ScannedRisk } from "./scan-arguments.ts";
import { inspectSed } from "./special/inspect-sed.ts";
import { inspectSqlite } from "./special/inspect-sqlite.ts";
import { inspectTar } from "./special/inspect-tar.ts";
import type { Inspector, SpecialFindings } from "./special/inspector.ts";

/** Analyses a command with the functions that its program's table entry names. */
export function inspectSpecially(
  scan: ArgumentScan,
  bare: BareCommand,
  draft: ReadingDraft,
): SpecialFindings {
  const { words } = bare;
  if (words.length === 2 && words[1] === "--version") return { effects: ["reads"] };
  for (const mark of scan.program.entry.marks) {
    const found = inspectors[mark]?.(scan, bare, draft);
    if (found !== undefined) return found;
  }
  return {};
}

/** Tells a date to print from one to set. */
const inspectDate: Inspector = ({ operands }, { words }) => ({
  findings: operands
    .filter((word) => words[word]?.startsWith("+") !== true)
    .map((word): ScannedRisk => ({ word, kind: "writes", why: "it sets the clock" })),
});

/** Finds tests that take a variable's name, and so run what is in its index. */
const inspectTest: Inspector = (_, { words }) => ({
  findings: words.some((word) => word === "-v" || word === "-R")
    ? [{ word: 0, kind: "doubts", why: "a test of a variable can run what is in its name" }]
    : [],
});

/** Finds yq expressions that run programs. */
const inspectYq: Inspector = ({ operands }, { words }) => ({
  findings: operands
    .filter((word) => words[word]?.includes("system"))
    .map((word): ScannedRisk => ({ word, kind: "runs", why: "system runs programs" })),
});

/** Tells reading git's configuration from changing it. */
const inspectGitConfig: Inspector = ({ options, risks }) => {
  const isAsking = risks.length === 0 && options.some(({ name }) => readingOptions.has(name));
  return isAsking ? { effects: ["reads"] } : {};
};

const readingOptions: ReadonlySet<string> = new Set([
  "-l",
  "--list",
  "--get",
  "--get-all",
  "--get-regexp",
  "--get-urlmatch",
]);

/** Tells an interpreter that is given a script from one that runs its input. */
const inspectScript: Inspector = ({ options, operands, risks }, { words }) => {
  const [first] = operands;
  if (first !== undefined && words[first] !== "-") return {};
  const asked = /python|pypy/u.test(words[0] ?? "") ? pythonVersionOptions : versionOptions;
  const isAsked = options.length > 0 && options.every(({ name }) => asked.has(name));
  if (first === undefined && isAsked) return { effects: ["reads"] };
  if (first === undefined && risks.some(({ kind }) => kind === "runs")) return {};
  const why = `${words[0]} runs what it reads from its input`;
  return { findings: [{ word: 0, kind: "doubts", why }] };
};

const versionOptions: ReadonlySet<string> = new Set(["-v", "-V", "-h", "--version", "--help"]);
// For Python, `-v` means verbose output while running.
const pythonVersionOptions: ReadonlySet<string> = new Set(["-V", "-h", "--version", "--help"]);

/** Finds awk programs that may run others, write files or read files that are not operands. */
const inspectAwk: Inspector = ({ options, operands }, { words }) => {
  const [word] = operands;
  if (word === undefined || options.some(({ option }) => option?.risk === "runs")) return {};
  const text = words[word];
  if (text === undefined || !riskyAwk.test(text.replaceAll(/\|\||>=/gu, " "))) return {};
  return { findings: [{ word, kind: "runs", why: whyAwk }] };
};

// Strings are not told from code: a string can name a function to call.
const riskyAwk = /system|getline|[|>@]|ARGV|\\\n/u;

const whyAwk = "an awk program with pipes, redirections or calls can run programs and write files";

/** Finds programs that run what they read from input. */
const inspectInput: Inspector = ({ risks }, { words }) => ({
  findings: risks.some(({ kind }) => kind === "runs" || kind === "unknown")
    ? []
    : [{ word: 0, kind: "doubts", why: `${words[0]} runs what it reads from its input` }],
});

/** Finds output formats of curl that write files. */
const inspectCurl: Inspector = ({ options }) => ({
  findings: options
    .filter(({ name, value }) => name === "-w" && /%output\{|^@/u.test(value ?? "@"))
    .map(({ valueWord }): ScannedRisk => {
      return { word: valueWord, kind: "writes", why: "the format can name a file to write" };
    }),
});

/** Extracts the commands that find would run on what it finds. */
const inspectFind: Inspector = (_, { words }) => {
  const inner: (readonly ReadWord[])[] = [];
  for (let at = 1; at < words.length; at++) {
    if (!runners.has(words[at] ?? "")) continue;
    const end = findEnd(words, at + 1);
    if (end > at + 1) inner.push(words.slice(at + 1, end).map(replaced));
    at = end;
  }
  return { inner };
};

const runners: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);

function findEnd(words: readonly ReadWord[], start: number): number {
  for (let at = start; at < words.length; at++) {
    if (words[at] === ";" || (words[at] === "+" && words[at - 1] === "{}")) return at;
  }
  return words.length;
}

function replaced(word: ReadWord): ReadWord {
  return word?.includes("{}") ? undefined : word;
}

const inspectors: Readonly<Record<string, Inspector>> = {
  sed: inspectSed,
  awk: inspectAwk,
  curl: inspectCurl,
  date: inspectDate,
  find: inspectFind,
  input: inspectInput,
  sqlite: inspectSqlite,
  tar: inspectTar,
  test: inspectTest,
  yq: inspectYq,
  script: inspectScript,
  "git-config": inspectGitConfig,
  reads0: ({ operands, risks }) =>
    operands.length === 0 && risks.length === 0 ? { effects: ["reads"] } : {},
};
