/** A problem that a check found. */
export interface Problem {
  /** Relative to the workspace root, or absolute if outside of it. */
  file?: string;
  line?: number;
  column?: number;
  severity?: ProblemSeverity;
  /** The rule or error number of the program. */
  code?: string;
  message: string;
}

/** The severity of a problem. */
export type ProblemSeverity = "error" | "warning" | "info";

/** A problem, and the lines of the output that report it. */
export interface ParsedProblem {
  readonly problem: Problem;
  readonly from: number;
  readonly to: number;
}

/** Finds the problems in the output of the programs whose format it parses. */
export type ProblemParser = (lines: readonly string[]) => readonly ParsedProblem[];
