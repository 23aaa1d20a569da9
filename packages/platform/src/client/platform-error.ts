/** One field of a request that the server refused. */
export interface FieldProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** What the server answered instead of a result, or that nothing answered at all. */
export class PlatformError extends Error {
  /** The status of HTTP; 0 if there was no answer. */
  readonly status: number;
  /** What is wrong and what to do, in a sentence. */
  readonly detail: string;
  /** Which fields are wrong, where the server says so. */
  readonly fields: readonly FieldProblem[];
  /** When to try again, where the server says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    detail: string,
    more: {
      readonly fields?: readonly FieldProblem[];
      readonly retryAfterSeconds?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "PlatformError";
    this.status = status;
    this.detail = detail;
    this.fields = more.fields ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
  }

  /** Also true of one that another copy of this module made. */
  static isInstance(value: unknown): value is PlatformError {
    return value instanceof Error && value.name === "PlatformError" && "detail" in value;
  }
}
