import type { ReadWord } from "@haft/core";
import type { ScannedRisk } from "../scan-arguments.ts";
import type { Inspector } from "./inspector.ts";

/** Finds sed scripts that may do more than print, delete and substitute. */
export const inspectSed: Inspector = ({ options, operands }, { words }) => {
  const given = options
    .filter(({ name }) => name === "-e" || name === "--expression")
    .map(({ value, valueWord }): Script => ({ text: value, word: valueWord }));
  const isElsewhere = given.length > 0 || options.some(({ option }) => option?.risk === "runs");
  const [first] = operands;
  const scripts =
    isElsewhere || first === undefined ? given : [{ text: words[first], word: first }];
  return {
    findings: scripts
      .filter(({ text }) => text !== undefined && !isHarmless(text))
      .map(({ word }): ScannedRisk => ({ word, kind: "runs", why })),
  };
};

interface Script {
  readonly text: ReadWord;
  readonly word: number;
}

const why =
  "a sed script can run programs and write files, and this one is not known to be harmless";

const address = /(?:\d+(?:~\d+)?|\$|\+\d+|~\d+)/uy;
const command = /[=dDgGhHlnNpPxz]|[qQ]\d*/uy;
const flags = /[gpIimM\d]*/uy;
const gap = /[ \t]*/uy;
const gaps = /[\s;]*/uy;

// Every sed reads these alike. Blocks, texts, labels and files are left to people.
function isHarmless(script: string): boolean {
  for (let at = after(script, 0, gaps); at < script.length; at = after(script, at, gaps)) {
    const start = skipAddresses(script, at);
    if (start === undefined) return false;
    const end =
      script[start] === "s" ? skipSubstitution(script, start) : match(script, start, command);
    if (end === undefined) return false;
    at = after(script, end, gap);
    if (at < script.length && !/[;\n]/u.test(script[at] ?? "")) return false;
  }
  return true;
}

function skipAddresses(script: string, start: number): number | undefined {
  const first = skipAddress(script, start);
  if (first === undefined) return undefined;
  let at = after(script, first, gap);
  if (first > start && script[at] === ",") {
    const from = after(script, at + 1, gap);
    const second = skipAddress(script, from);
    if (second === undefined || second === from) return undefined;
    at = after(script, second, gap);
  }
  return after(script, script[at] === "!" ? at + 1 : at, gap);
}

function skipAddress(script: string, at: number): number | undefined {
  if (script[at] !== "/") return match(script, at, address) ?? at;
  const end = skipPart(script, at + 1, { delimiter: "/", isPattern: true });
  return end === undefined ? undefined : after(script, end, /[IM]*/uy);
}

function skipSubstitution(script: string, at: number): number | undefined {
  const delimiter = script[at + 1] ?? "";
  if (!/[/|,#@:!%_+~^=]/u.test(delimiter)) return undefined;
  const middle = skipPart(script, at + 2, { delimiter, isPattern: true });
  if (middle === undefined) return undefined;
  const end = skipPart(script, middle, { delimiter, isPattern: false });
  return end === undefined ? undefined : after(script, end, flags);
}

interface Part {
  readonly delimiter: string;
  readonly isPattern: boolean;
}

// After the next delimiter. Between brackets some versions take a delimiter for one and some don't.
function skipPart(
  script: string,
  start: number,
  { delimiter, isPattern }: Part,
): number | undefined {
  for (let at = start; at < script.length; at++) {
    const character = script[at];
    if (character === delimiter) return at + 1;
    if (character === "\n") return undefined;
    if (character === "\\") {
      at++;
      if (script[at] === "\n") return undefined;
    } else if (character === "[" && isPattern) {
      const close = script.indexOf("]", at + 1);
      if (close < 0 || /[\\\n]/u.test(script.slice(at, close))) return undefined;
      if (script.slice(at, close).includes(delimiter)) return undefined;
      at = close;
    }
  }
  return undefined;
}

function match(script: string, at: number, pattern: RegExp): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(script) ? pattern.lastIndex : undefined;
}

function after(script: string, at: number, pattern: RegExp): number {
  return match(script, at, pattern) ?? at;
}
