import type { ErrorCode } from "./error-codes.ts";
import type { JsonValue } from "./json-schema.ts";

/** What a `ToolError` may carry beside its code and message. */
export interface ToolErrorOptions {
  readonly cause?: unknown;
  /** The file that the failure is about, in full. */
  readonly absolutePath?: string;
  /** What the tool had produced when it failed: output of a command that timed out, for one. */
  readonly partial?: string;
  /** Facts behind the sentence, for those who put it into other words. */
  readonly details?: Readonly<Record<string, JsonValue>>;
}

// A registered symbol, so that an error of another copy of this package is recognised too.
const brand = Symbol.for("haft.ToolError");

/** The one error a tool throws on purpose: a code from the table and a sentence for the model. */
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

  /** Recognises a `ToolError`, whichever copy of this package made it. */
  static isInstance(value: unknown): value is ToolError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
