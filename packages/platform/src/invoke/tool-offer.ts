import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonSchema } from "@haft/contract";

// Served over MCP by `@haft/connect`, which this package does not import: `haft serve` gives it.

/** A tool that an offer lists. */
export interface OfferedTool {
  readonly name: string;
  /** Paragraphs for a model. */
  readonly description: readonly string[];
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
}

/** A call of an offered tool. */
export interface OfferedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the client calls itself, if its request says so. */
  readonly client?: string | undefined;
  readonly signal: AbortSignal;
  onStatus(event: unknown): void;
}

/** The tools that one caller may list and call. */
export interface ToolOffer {
  /** For models. */
  readonly instructions?: string | undefined;
  /** Lists a page of tools, from behind a cursor. Returns `undefined` for a cursor that it did not make. */
  list(
    cursor: string | undefined,
  ): Promise<
    { readonly tools: readonly OfferedTool[]; readonly nextCursor?: string | undefined } | undefined
  >;
  /** Calls a tool. Returns `undefined` if the offer has none of that name. */
  call(
    call: OfferedCall,
  ): Promise<{ readonly text: string; readonly isError: boolean } | undefined>;
}

/** Serves offers over MCP. */
export interface McpEndpoint {
  handle(request: IncomingMessage, response: ServerResponse, offer: ToolOffer): Promise<void>;
  close(): Promise<void>;
}
