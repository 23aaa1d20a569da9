/** Something that a check found wrong, and where. */
export interface Problem {
  /** From the workspace root, or in full if it lies outside. */
  file?: string;
  line?: number;
  column?: number;
  severity?: ProblemSeverity;
  /** The rule or error number, as the program calls it. */
  code?: string;
  message: string;
}

/** How bad it is. */
export type ProblemSeverity = "error" | "warning" | "info";

/** A problem, and the lines of the output that tell of it. */
export interface ParsedProblem {
  readonly problem: Problem;
  readonly from: number;
  readonly to: number;
}

/** Finds the problems in the output of the programs whose format it knows. */
export type ProblemParser = (lines: readonly string[]) => readonly ParsedProblem[];
