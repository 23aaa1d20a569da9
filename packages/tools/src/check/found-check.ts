import type { CheckKind } from "./check-kind.ts";

/** A way to check a project. */
export interface CheckWay {
  readonly kind: CheckKind;
  /** The file that defines it, for messages. */
  readonly saidBy: string;
  /** The program, which must be installed. `./name` is one in the project's directory. */
  readonly program: string;
  /** The rest of the command line. */
  readonly args: string;
  /** Text before the program, such as a variable assignment. */
  readonly before?: string;
  /** Another program that must be installed. */
  readonly needs?: string;
}

/** A check that can run. */
export interface FoundCheck {
  readonly kind: CheckKind;
  readonly command: string;
}

/** A check that can't run, and why. */
export interface SkippedCheck {
  kind: CheckKind;
  why: string;
}
