import type { ReadCommand, ReadWord, ReadWrite } from "../commands/command-reading.ts";
import type { JudgedTool, Verdict } from "./compile-rule.ts";
import { stricter } from "./stricter.ts";
import type { Subject } from "./subject.ts";

/** Judges one subject, for the call's tool or for another. */
type JudgeSubject = (part: Subject, tool?: JudgedTool) => Verdict;

/**
 * Judges a command line: each command on its own, and each redirection as a write. Anything uncertain
 * needs approval at least, and a denied program is denied wherever its name appears.
 */
export function judgeCommand(subject: Subject, judge: JudgeSubject): Verdict {
  const { reading } = subject;
  if (reading === undefined) return uncertain("commands can't be analysed here");
  let strictest: Verdict | undefined;
  const add = (verdict: Verdict): void => {
    strictest = strictest === undefined ? verdict : stricter(strictest, verdict);
  };
  for (const part of reading.commands) {
    add(explain(judge({ ...subject, part }), part));
    for (const words of part.wrappers) {
      const verdict = judge({ ...subject, part: toPart(words) });
      // A wrapper needs no rule of its own, but a rule may deny it.
      if (verdict.decidedBy !== undefined) add(verdict);
    }
  }
  for (const write of reading.writes) add(judgeWrite(write, judge));
  const [doubt] = reading.doubts;
  if (doubt !== undefined) add(uncertain(doubt));
  const loose = reading.looseWords.length > 0 ? judge(subject) : undefined;
  if (loose?.decidedBy !== undefined) add(loose);
  return strictest ?? uncertain("the command runs no known program");
}

function toPart(words: readonly ReadWord[]): ReadCommand {
  return {
    words,
    plainWords: words,
    wrappers: [],
    risks: [],
    doubts: [],
    cwd: undefined,
    effects: [],
  };
}

function judgeWrite({ path, landing, refusal }: ReadWrite, judge: JudgeSubject): Verdict {
  if (path === undefined) return uncertain("it writes a file whose name is not known in advance");
  if (refusal !== undefined) return { action: "deny", decidedBy: undefined, why: refusal };
  const verdict = judgePath(path, judge);
  // The write must also be allowed for the path after following links.
  return landing === undefined ? verdict : stricter(verdict, judgePath(landing, judge));
}

function judgePath(path: string, judge: JudgeSubject): Verdict {
  const verdict = judge({ type: "file", key: path, mode: "write", tree: false }, writeTool);
  if (verdict.decidedBy !== undefined) return verdict;
  return { ...verdict, why: `it writes ${path}, which no write rule allows` };
}

// A redirection is a write, whichever command it belongs to.
/** The tool whose rules apply to what commands write. */
export const writeTool: JudgedTool = { id: "write", source: "builtin" };

/**
 * A tool that no rule names, for what any program does to files. The patterns of rules on `bash` are
 * commands, and say nothing about files.
 */
export const programTool: JudgedTool = { id: "", source: "builtin" };

function explain(verdict: Verdict, part: ReadCommand): Verdict {
  if (verdict.action !== "ask" || verdict.decidedBy !== undefined) return verdict;
  return { ...verdict, why: whyNot(part) };
}

function whyNot({ words, doubts, risks }: ReadCommand): string {
  const [doubt] = doubts;
  if (doubt !== undefined) return doubt;
  const shown = words.map((word) => word ?? "…").join(" ");
  const [risk] = risks;
  return risk === undefined
    ? `no rule allows "${shown}"`
    : `no rule spells out "${shown}": ${risk.why}`;
}

function uncertain(why: string): Verdict {
  return { action: "ask", decidedBy: undefined, why };
}
