import { toByteText } from "./byte-text.ts";
import type { IgnoreToken, Range } from "./ignore-glob.ts";

/** Returns whether a text of bytes matches a pattern. */
export type ByteMatcher = (bytes: string) => boolean;

/**
 * Compiles tokens to a state machine that tracks all states at once, so that matching takes at most
 * the length of the pattern times that of the text. A regular expression would backtrack: an ignore
 * file with a dozen stars in a line could block the process for years.
 */
export function compileMachine(tokens: readonly IgnoreToken[]): ByteMatcher {
  const program: Step[] = [];
  emit(tokens, program);
  program.push({ type: "end" });
  return (bytes) => run(program, bytes);
}

/** One step: a byte to consume, or a jump. */
type Step =
  | { readonly type: "byte"; readonly code: number }
  | { readonly type: "notSlash" }
  | { readonly type: "any" }
  | { readonly type: "class"; readonly negated: boolean; readonly codes: ReadonlySet<number> }
  | { readonly type: "fork"; to: number[] }
  | { readonly type: "end" };

const slash: IgnoreToken = { type: "character", character: "/" };

function emit(tokens: readonly IgnoreToken[], program: Step[]): void {
  for (const token of tokens) emitToken(token, program);
}

function emitToken(token: IgnoreToken, program: Step[]): void {
  switch (token.type) {
    case "character":
      for (const byte of toByteText(token.character)) {
        program.push({ type: "byte", code: byte.charCodeAt(0) });
      }
      return;
    case "one":
      program.push({ type: "notSlash" });
      return;
    case "star":
      emitLoop("notSlash", program);
      return;
    case "class":
      program.push({ type: "class", negated: token.negated, codes: toCodes(token.ranges) });
      return;
    case "head":
      emitChoice([() => {}, () => emitToken(slash, program), () => emitPath(program)], program);
      return;
    case "middle":
      emitToken(slash, program);
      emitChoice([() => {}, () => emitPath(program)], program);
      return;
    case "tail":
      emitToken(slash, program);
      emitLoop("any", program);
      return;
    case "choice": {
      // ripgrep drops an empty branch.
      const branches = token.branches.filter((branch) => !isEmpty(branch));
      if (branches.length > 0) {
        emitChoice(
          branches.map((branch) => () => emit(branch, program)),
          program,
        );
      }
    }
  }
}

function isEmpty(branch: readonly IgnoreToken[]): boolean {
  return branch.every((token) => token.type === "choice" && token.branches.every(isEmpty));
}

function emitPath(program: Step[]): void {
  emitLoop("any", program);
  emitToken(slash, program);
}

function emitLoop(type: "any" | "notSlash", program: Step[]): void {
  const start = program.length;
  program.push(
    { type: "fork", to: [start + 1, start + 3] },
    { type },
    { type: "fork", to: [start] },
  );
}

function emitChoice(branches: readonly (() => void)[], program: Step[]): void {
  const fork: Step = { type: "fork", to: [] };
  program.push(fork);
  const ends: { to: number[] }[] = [];
  for (const branch of branches) {
    fork.to.push(program.length);
    branch();
    const end = { type: "fork" as const, to: [] };
    program.push(end);
    ends.push(end);
  }
  for (const end of ends) end.to = [program.length];
}

// As in ripgrep's own expression: the bytes of a range's ends are separate members of the class.
function toCodes(ranges: readonly Range[]): ReadonlySet<number> {
  const codes = new Set<number>();
  for (const [from, to] of ranges) {
    const first = toByteText(from);
    const last = from === to ? "" : toByteText(to);
    for (const byte of first + last) codes.add(byte.charCodeAt(0));
    if (last === "") continue;
    const end = last.charCodeAt(0);
    for (let code = first.charCodeAt(first.length - 1); code <= end; code++) codes.add(code);
  }
  return codes;
}

function run(program: readonly Step[], bytes: string): boolean {
  let current: number[] = [];
  let next: number[] = [];
  const seenAt = new Int32Array(program.length).fill(-1);
  const enter = (step: number, at: number, into: number[]): void => {
    if (seenAt[step] === at) return;
    seenAt[step] = at;
    const found = program[step];
    if (found?.type !== "fork") into.push(step);
    else for (const to of found.to) enter(to, at, into);
  };
  enter(0, 0, current);
  for (let at = 0; at < bytes.length && current.length > 0; at++) {
    const code = bytes.charCodeAt(at);
    next = [];
    for (const index of current) {
      const step = program[index];
      if (step !== undefined && takes(step, code)) enter(index + 1, at + 1, next);
    }
    current = next;
  }
  return current.some((index) => program[index]?.type === "end");
}

function takes(step: Step, code: number): boolean {
  switch (step.type) {
    case "byte":
      return step.code === code;
    case "notSlash":
      return code !== 0x2f;
    case "any":
      return true;
    case "class":
      return step.codes.has(code) !== step.negated;
    default:
      return false;
  }
}
