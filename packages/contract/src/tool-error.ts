import type { ErrorCode } from "./error-codes.ts";
import type { JsonValue } from "./json-schema.ts";

/** Optional details of a `ToolError`. */
export interface ToolErrorOptions {
  readonly cause?: unknown;
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
 * throw new ToolError("not-found", "There is no user ada. List users with list_users.");
 * ```
 */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly absolutePath: string | undefined;
  readonly partial: string | undefined;
  readonly details: Readonly<Record<string, JsonValue>>;

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.code = code;
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
