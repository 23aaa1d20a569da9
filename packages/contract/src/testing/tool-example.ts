import type { ErrorCode } from "../error-codes.ts";
import type { Runtime } from "../runtime.ts";

/** A call of a tool and its expected outcome. */
export interface ToolExample {
  readonly name?: string;
  readonly arguments: unknown;
  /** Creates the runtime, once per call. Default: `createTestRuntime()`. */
  readonly runtime?: () => Runtime | Promise<Runtime>;
  /** Default: success with any data. */
  readonly expect?: {
    /** The minimum of the data: objects may have more properties, arrays no more items. */
    readonly data?: unknown;
    /** The code of the expected `ToolError`. */
    readonly error?: ErrorCode;
  };
}
