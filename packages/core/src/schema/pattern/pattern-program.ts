import type { CharacterSet } from "./character-set.ts";
import type { PatternNode } from "./parse-pattern.ts";

/** What a place of a text has to be like. */
export type Assertion =
  | "start"
  | "end"
  | "boundary"
  | "inside"
  | { readonly look: number; readonly isNegative: boolean };

/** One step of a program. After a set or an assertion the next one follows. */
export type Instruction =
  | { readonly type: "set"; readonly set: CharacterSet }
  | { readonly type: "assert"; readonly assertion: Assertion }
  | { readonly type: "split"; first: number; second: number }
  | { readonly type: "match" };

/** A pattern as steps that a set of threads runs through, one character at a time. */
export interface PatternProgram {
  readonly instructions: readonly Instruction[];
  /** It can begin at the start of the text only. */
  readonly isAnchored: boolean;
}

/** A part that is looked for ahead of or behind each place. */
export interface LookProgram extends PatternProgram {
  readonly isAhead: boolean;
}

/** The most steps that a pattern may have when its counted repetitions are written out. */
const maxPatternSteps = 10_000;

/** Makes programs of a pattern: its own, and one for each lookaround, inner ones first. */
export function toPrograms(node: PatternNode): {
  readonly main: PatternProgram;
  readonly looks: readonly LookProgram[];
} {
  const looks: LookProgram[] = [];
  let size = 0;

  const write = (root: PatternNode, isBackwards: boolean): PatternProgram => {
    const instructions: Instruction[] = [];
    const grow = (): void => {
      if (++size <= maxPatternSteps) return;
      throw new Error(`its repetitions make more than ${maxPatternSteps} steps`);
    };
    const add = <Step extends Instruction>(step: Step): Step => {
      grow();
      instructions.push(step);
      return step;
    };
    const split = (): { first: number; second: number } =>
      add({ type: "split", first: instructions.length + 1, second: -1 });

    const writeChoice = (items: readonly PatternNode[]): void => {
      const ends: { first: number; second: number }[] = [];
      for (const [index, item] of items.entries()) {
        const isLast = index === items.length - 1;
        const fork = isLast ? undefined : split();
        writeNode(item);
        if (fork === undefined) break;
        ends.push(split());
        fork.second = instructions.length;
      }
      for (const end of ends) end.first = end.second = instructions.length;
    };

    const writeRepeat = ({ item, min, max }: PatternNode & { type: "repeat" }): void => {
      for (let count = 0; count < min; count++) {
        grow();
        writeNode(item);
      }
      if (max === Number.POSITIVE_INFINITY) {
        const start = instructions.length;
        const loop = split();
        writeNode(item);
        const back = split();
        back.first = back.second = start;
        loop.second = instructions.length;
        return;
      }
      const exits: { second: number }[] = [];
      for (let count = min; count < max; count++) {
        exits.push(split());
        writeNode(item);
      }
      for (const exit of exits) exit.second = instructions.length;
    };

    const writeNode = (one: PatternNode): void => {
      switch (one.type) {
        case "set":
          add({ type: "set", set: one.set });
          break;
        case "sequence":
          for (const item of isBackwards ? one.items.toReversed() : one.items) writeNode(item);
          break;
        case "choice":
          writeChoice(one.items);
          break;
        case "repeat":
          writeRepeat(one);
          break;
        case "position":
          add({ type: "assert", assertion: one.is });
          break;
        case "look": {
          // Read towards the place it is asked for, one pass tells all places where it holds.
          const program = write(one.item, one.isAhead);
          looks.push({ ...program, isAnchored: false, isAhead: one.isAhead });
          const look = looks.length - 1;
          add({ type: "assert", assertion: { look, isNegative: one.isNegative } });
        }
      }
    };

    writeNode(root);
    add({ type: "match" });
    return { instructions, isAnchored: startsAtStart(root) };
  };

  return { main: write(node, false), looks };
}

function startsAtStart(node: PatternNode): boolean {
  if (node.type === "position") return node.is === "start";
  if (node.type === "choice") return node.items.every(startsAtStart);
  const [first] = node.type === "sequence" ? node.items : [];
  return first !== undefined && startsAtStart(first);
}
