/** One field of a request that the server refused. */
export interface FieldProblem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/**
 * Thrown when the server answers with an error or does not answer.
 *
 * @example
 * ```ts
 * import { type PlatformClient, PlatformError } from "@haft/platform/client";
 *
 * async function isToolThere(platform: PlatformClient, id: string): Promise<boolean> {
 *   try {
 *     return (await platform.tools.find(id)) !== undefined;
 *   } catch (error) {
 *     if (PlatformError.isInstance(error) && error.status === 404) return false;
 *     throw error;
 *   }
 * }
 * ```
 */
export class PlatformError extends Error {
  /** The HTTP status; 0 if there was no answer. */
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

  /** Returns whether a value is a `PlatformError`, even of another copy of this module. */
  static isInstance(value: unknown): value is PlatformError {
    return value instanceof Error && value.name === "PlatformError" && "detail" in value;
  }
}
