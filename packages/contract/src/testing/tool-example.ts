import type { ErrorCode } from "../error-codes.ts";
import type { Runtime } from "../runtime.ts";

/** One call of a tool, and what is expected of it. */
export interface ToolExample {
  readonly name?: string;
  readonly arguments: unknown;
  /** Makes the runtime of the call, anew for every call; `createTestRuntime()` unless said. */
  readonly runtime?: () => Runtime | Promise<Runtime>;
  /** Success with any data, unless said. */
  readonly expect?: {
    /** What the data has at least: objects may have more properties, arrays no more items. */
    readonly data?: unknown;
    /** The code of the `ToolError` in which the call ends. */
    readonly error?: ErrorCode;
  };
}
