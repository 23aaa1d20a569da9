import type { IncomingMessage, ServerResponse } from "node:http";

/** Something else that a workbench serves at a path of its own, such as a protocol. */
export interface WorkbenchMount {
  /** Exactly this one, such as `/mcp`. */
  readonly path: string;
  /** Answers every request there that has passed the workbench's own checks. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Has replies under way come to an end: the workbench is about to stop. */
  close(): Promise<void>;
}
