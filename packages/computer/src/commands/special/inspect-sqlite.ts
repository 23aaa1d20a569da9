import type { ScannedRisk } from "../scan-arguments.ts";
import type { Inspector } from "./inspector.ts";

/** Finds SQL and dot commands that run programs or use other files than the database. */
export const inspectSqlite: Inspector = ({ operands, risks }, { words, input }) => {
  const [, ...statements] = operands;
  const findings = statements
    .filter((word) => !isHarmless(words[word] ?? "."))
    .map((word): ScannedRisk => ({ word, kind: "runs", why }));
  // `-cmd` and `-init` are risks of their own.
  const isGiven = statements.length > 0 || risks.length > 0;
  const isKnown = input.length > 0 && input.every(isHarmless);
  if (isGiven || isKnown) return { findings };
  const reason = `${words[0]} runs what it reads from its input`;
  return { findings: [...findings, { word: 0, kind: "doubts", why: reason }] };
};

const why = "such a statement can run programs, load code and use other files";

function isHarmless(code: string): boolean {
  return !using.test(code) && !(code.match(dotCommand) ?? []).some((line) => !shown.test(line));
}

// Strings are not told from code: a quoted name can be that of a function.
const using =
  /\b(?:attach|load_extension|readfile|writefile|edit|fsdir|sqlar\w*|zipfile\w*|virtual|vacuum|pragma|copy|export|import|install|load|read_\w+)\b|\bfrom\s*['"]/iu;

const dotCommand = /^[^\S\n]*\..*$/gmu;

// Each shows something, or changes how it is shown.
const shown =
  /^\s*\.(?:bail|changes|databases|echo|eqp|exit|explain|headers?|help|indexes|indices|mode|nullvalue|print|prompt|quit|schema|separator|show|stats|tables|timer|version|width)(?:\s[^|]*)?$/u;
