import type { ReadCommand, ReadWord, ReadWrite } from "../commands/command-reading.ts";
import type { JudgedTool, Verdict } from "./compile-rule.ts";
import { stricter } from "./stricter.ts";
import type { Subject } from "./subject.ts";

/** What the rules say about one thing, for the call's own tool or for another. */
type JudgePart = (part: Subject, tool?: JudgedTool) => Verdict;

/**
 * Judges a command line: each command in it on its own, each redirection as a write. What could not
 * be read with certainty is asked at least, and a denied program is denied wherever its name shows.
 */
export function judgeCommand(subject: Subject, judge: JudgePart): Verdict {
  const { reading } = subject;
  if (reading === undefined) return uncertain("nothing here reads commands");
  let strictest: Verdict | undefined;
  const add = (verdict: Verdict): void => {
    strictest = strictest === undefined ? verdict : stricter(strictest, verdict);
  };
  for (const part of reading.commands) {
    add(explain(judge({ ...subject, part }), part));
    for (const words of part.wrappers) {
      const verdict = judge({ ...subject, part: toPart(words) });
      // A wrapper needs no rule of its own, but there may be one against it.
      if (verdict.decidedBy !== undefined) add(verdict);
    }
  }
  for (const write of reading.writes) add(judgeWrite(write, judge));
  const [doubt] = reading.doubts;
  if (doubt !== undefined) add(uncertain(doubt));
  const loose = reading.looseWords.length > 0 ? judge(subject) : undefined;
  if (loose?.action === "deny") add(loose);
  return strictest ?? uncertain("it runs nothing that is known");
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

function judgeWrite({ path, refusal }: ReadWrite, judge: JudgePart): Verdict {
  if (path === undefined) return uncertain("it writes a file whose name is not known beforehand");
  if (refusal !== undefined) return { action: "deny", decidedBy: undefined, why: refusal };
  const verdict = judge({ type: "file", key: path, mode: "write", tree: false }, writeTool);
  if (verdict.decidedBy !== undefined) return verdict;
  return { ...verdict, why: `it writes ${path}, which no rule on write allows` };
}

// A redirection is a write, whatever command it belongs to.
const writeTool: JudgedTool = { id: "write", source: "builtin" };

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
