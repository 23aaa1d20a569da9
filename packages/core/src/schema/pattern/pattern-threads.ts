import type { CharacterSet } from "./character-set.ts";
import type { Assertion, PatternProgram } from "./pattern-program.ts";

/** A text to search, and what is known of its places. */
export interface PatternInput {
  readonly text: string;
  /** Of each lookaround, the places where it holds. */
  readonly tables: readonly Uint8Array[];
  spend(steps: number): void;
}

/** All ways in which a program may go on at one place of a text. */
export interface Threads {
  /** How many wait for a character. */
  readonly count: number;
  /** Whether one has come to the end. */
  readonly hasMatch: boolean;
  /** Starts anew at a place. Returns the steps taken. */
  start(input: PatternInput, place: number): number;
  /** Reads a character, after which the threads are at `place`. Returns the steps taken. */
  advance(code: number, place: number, mayStart: boolean): number;
}

/** Makes the threads of a program. Each instruction is entered at most once per place. */
export function createThreads({ instructions }: PatternProgram): Threads {
  const length = instructions.length;
  const sets = instructions.map((step) => (step.type === "set" ? step.set : undefined));
  const skip = (at: number): number => skipJumps(instructions, at);
  const firsts = Int32Array.from(instructions, (step) =>
    step.type === "split" ? skip(step.first) : -1,
  );
  const seconds = Int32Array.from(instructions, (step) =>
    step.type === "split" ? skip(step.second) : -1,
  );
  const nexts = Int32Array.from(instructions, (_, at) => skip(at + 1));
  const assertions = instructions.map((step) =>
    step.type === "assert" ? step.assertion : undefined,
  );
  // Of each instruction, the round in which it was entered last.
  const entered = new Float64Array(length);
  const open = new Int32Array(length + 1);
  let waiting = new Int32Array(length);
  let next = new Int32Array(length);
  let count = 0;
  let round = 0;
  let hasMatch = false;
  let input: PatternInput = { text: "", tables: [], spend: () => {} };

  /** Adds what can be reached from an instruction without reading a character. */
  const enter = (from: number, place: number): number => {
    if (entered[from] === round) return 0;
    entered[from] = round;
    let size = 1;
    let steps = 0;
    open[0] = from;
    while (size > 0) {
      const at = open[--size] as number;
      steps++;
      let to = -1;
      let also = -1;
      if (sets[at] !== undefined) next[count++] = at;
      else if (at === length - 1) hasMatch = true;
      else if ((firsts[at] as number) >= 0) {
        to = firsts[at] as number;
        also = seconds[at] as number;
      } else if (holds(assertions[at] as Assertion, place, input)) to = nexts[at] as number;
      if (to >= 0 && entered[to] !== round) {
        entered[to] = round;
        open[size++] = to;
      }
      if (also >= 0 && entered[also] !== round) {
        entered[also] = round;
        open[size++] = also;
      }
    }
    return steps;
  };

  return {
    get count() {
      return count;
    },
    get hasMatch() {
      return hasMatch;
    },
    start(given, place) {
      input = given;
      count = 0;
      hasMatch = false;
      round++;
      return enter(0, place);
    },
    advance(code, place, mayStart) {
      const alive = count;
      const before = waiting;
      waiting = next;
      next = before;
      count = 0;
      hasMatch = false;
      round++;
      let steps = 1 + alive;
      for (let index = 0; index < alive; index++) {
        const at = waiting[index] as number;
        if ((sets[at] as CharacterSet).has(code)) steps += enter(nexts[at] as number, place);
      }
      return mayStart ? steps + enter(0, place) : steps;
    },
  };
}

/** Where an instruction that only leads on leads to. */
function skipJumps(instructions: PatternProgram["instructions"], from: number): number {
  let at = from;
  // An empty loop leads back to itself.
  for (let count = 0; count < instructions.length; count++) {
    const step = instructions[at];
    if (step?.type !== "split" || step.first !== step.second) break;
    at = step.first;
  }
  return at;
}

function holds(assertion: Assertion, place: number, { text, tables }: PatternInput): boolean {
  switch (assertion) {
    case "start":
      return place === 0;
    case "end":
      return place === text.length;
    case "boundary":
      return isWord(text, place - 1) !== isWord(text, place);
    case "inside":
      return isWord(text, place - 1) === isWord(text, place);
    default:
      return (tables[assertion.look]?.[place] === 1) !== assertion.isNegative;
  }
}

function isWord(text: string, at: number): boolean {
  const code = at < 0 || at >= text.length ? 0 : text.charCodeAt(at);
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95
  );
}
