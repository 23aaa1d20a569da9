import type { ReadWord } from "@haft/core";
import type { SyntaxNode } from "unbash";
import type { Directory } from "./directory.ts";
import type { ReadingDraft } from "./reading-draft.ts";

/** The context of a command. */
export interface Frame {
  readonly draft: ReadingDraft;
  /** The wrappers around it, outermost first. */
  readonly wrappers: readonly (readonly ReadWord[])[];
  /** Reads code that a shell in a frame would run. */
  readCode(code: string, directory: Directory, frame: Frame): void;
  /** Reads the commands inside a word or an expression. */
  readInside(node: SyntaxNode, directory: Directory, frame: Frame): void;
}

/** The frame of the command that a wrapper runs. */
export function wrapped(frame: Frame, wrapper: readonly ReadWord[]): Frame {
  return { ...frame, wrappers: [...frame.wrappers, wrapper] };
}

/** Maximum number of nested shells and wrappers that are analysed. */
export const maxWrappers = 12;
