import type { CheckKind } from "./check-kind.ts";

/** A way to check a project. */
export interface CheckWay {
  readonly kind: CheckKind;
  /** The file that says so, for those who ask why. */
  readonly saidBy: string;
  /** The program, which must be installed; `./name` for one in the project's directory. */
  readonly program: string;
  /** The rest of the command line. */
  readonly args: string;
  /** What comes before the program, such as a variable. */
  readonly before?: string;
  /** Another program that must be installed. */
  readonly needs?: string;
}

/** A check that can be run. */
export interface FoundCheck {
  readonly kind: CheckKind;
  readonly command: string;
}

/** A check that can't be run, and why. */
export interface SkippedCheck {
  kind: CheckKind;
  why: string;
}
