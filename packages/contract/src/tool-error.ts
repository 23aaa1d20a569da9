import type { ErrorCode } from "./error-codes.ts";
import type { JsonValue } from "./json-schema.ts";

/** Optional details of a `ToolError`. */
export interface ToolErrorOptions {
  readonly cause?: unknown;
  /**
   * What to do, as the end of the message. Other tools are named by their ID in backticks: a model reads
   * their names in its own dialect, and no sentence about a tool that it does not have.
   */
  readonly remedy?: string;
  /** The full path of the file that the error is about. */
  readonly absolutePath?: string;
  /** Output so far, such as that of a command that timed out. */
  readonly partial?: string;
  /** Structured facts behind the message, for dialects that word it differently. */
  readonly details?: Readonly<Record<string, JsonValue>>;
}

// A registered symbol, so that errors of another copy of this package are recognised too.
const brand = Symbol.for("haft.ToolError");

/**
 * The error that tools throw on purpose: an error code and a message for the model.
 *
 * @example
 * ```ts
 * import { ToolError } from "@haft/contract";
 *
 * throw new ToolError("not-found", "There is no user ada.", {
 *   remedy: "List users with `list_users`.",
 * });
 * ```
 */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly remedy: string | undefined;
  readonly absolutePath: string | undefined;
  readonly partial: string | undefined;
  readonly details: Readonly<Record<string, JsonValue>>;

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    const { cause, remedy } = options;
    super(
      remedy === undefined ? message : `${message} ${remedy}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = "ToolError";
    this.code = code;
    this.remedy = remedy;
    this.absolutePath = options.absolutePath;
    this.partial = options.partial;
    this.details = options.details ?? {};
    Object.defineProperty(this, brand, { value: true });
  }

  /** Tells whether a value is a `ToolError`, even of another copy of this package. */
  static isInstance(value: unknown): value is ToolError {
    return typeof value === "object" && value !== null && brand in value;
  }
}

/** Returns the message of an error without its remedy. */
export function withoutRemedy({ message, remedy }: ToolError): string {
  return remedy === undefined ? message : message.slice(0, -remedy.length - 1);
}
