import type { IncomingMessage, ServerResponse } from "node:http";

/** Another service of a workbench at its own path, such as a protocol. */
export interface WorkbenchMount {
  /** The exact path, such as `/mcp`. */
  readonly path: string;
  /** Answers the requests that have passed the workbench's checks. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends running replies before the workbench stops. */
  close(): Promise<void>;
}
