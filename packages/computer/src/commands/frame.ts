import type { ReadWord } from "@haft/core";
import type { SyntaxNode } from "unbash";
import type { Directory } from "./directory.ts";
import type { ReadingDraft } from "./reading-draft.ts";

/** What a command stands in. */
export interface Frame {
  readonly draft: ReadingDraft;
  /** What was taken off around it, outermost first. */
  readonly wrappers: readonly (readonly ReadWord[])[];
  /** Reads code that a shell in a frame would run. */
  readCode(code: string, directory: Directory, frame: Frame): void;
  /** Reads the commands that are inside of a word or an expression. */
  readInside(node: SyntaxNode, directory: Directory, frame: Frame): void;
}

/** The frame of what a wrapper runs. */
export function wrapped(frame: Frame, wrapper: readonly ReadWord[]): Frame {
  return { ...frame, wrappers: [...frame.wrappers, wrapper] };
}

/** The most shells and wrappers around each other that are looked into. */
export const mostWrappers = 12;
