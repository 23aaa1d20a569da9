import type { ToolKind, ToolResult, ToolSource } from "@haft/contract";
import type { InputSchema } from "./input-schema.ts";

/** A tool for `generateText` and `streamText`. */
export interface AiSdkTool {
  type: "dynamic";
  description: string;
  inputSchema: InputSchema;
  strict?: true;
  /** Comes back as `toolMetadata` of each call and result. */
  metadata: { haft: { tool: string; kind: ToolKind; source: ToolSource } };
  /** Gives the whole envelope, of failures too: what the model sees of it is `toModelOutput`. */
  execute(input: unknown, options: AiSdkCall): Promise<ToolResult>;
  toModelOutput(options: { readonly output: unknown }): AiSdkModelOutput;
}

/** What the AI SDK tells of a call. */
export interface AiSdkCall {
  readonly toolCallId: string;
  readonly messages: readonly AiSdkMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** A message, as far as it is looked at. */
export interface AiSdkMessage {
  readonly role: string;
  readonly content: string | readonly AiSdkPart[];
}

/** A part of a message, as far as it is looked at. */
export interface AiSdkPart {
  readonly type: string;
}

/** What the model sees of a result. */
export type AiSdkModelOutput =
  | { type: "text"; value: string }
  | { type: "error-text"; value: string }
  | { type: "content"; value: AiSdkContent[] };

/** A part of what the model sees of a result that has images. */
export type AiSdkContent =
  | { type: "text"; text: string }
  | { type: "file"; mediaType: string; data: { type: "data"; data: string } };
