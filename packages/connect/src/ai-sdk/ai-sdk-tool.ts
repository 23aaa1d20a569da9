import type { ToolKind, ToolResult, ToolSource } from "@haft/contract";
import type { InputSchema } from "./input-schema.ts";

/** A tool for `generateText` and `streamText`. */
export type AiSdkTool = AiSdkFunction | AiSdkTextTool;

/** A tool that a model calls with JSON. */
export interface AiSdkFunction extends AiSdkToolParts {
  type: "dynamic";
  description: string;
  strict?: true;
}

/** A tool that a model of OpenAI calls with plain text. */
export interface AiSdkTextTool extends AiSdkToolParts {
  type: "provider";
  id: "openai.custom";
  isProviderExecuted: false;
  description?: never;
  strict?: never;
  args: {
    description: string;
    format: { type: "grammar"; syntax: "lark"; definition: string };
  };
}

/** What all tools have. */
export interface AiSdkToolParts {
  inputSchema: InputSchema;
  /** Returned as `toolMetadata` of each call and result. */
  metadata: { haft: { tool: string; kind: ToolKind; source: ToolSource } };
  /** Returns the complete result, even of failures. The model sees only `toModelOutput`. */
  execute(input: unknown, options: AiSdkCall): Promise<ToolResult>;
  toModelOutput(options: { readonly output: unknown }): AiSdkModelOutput;
}

/** What the AI SDK passes with a call. */
export interface AiSdkCall {
  readonly toolCallId: string;
  readonly messages: readonly AiSdkMessage[];
  readonly abortSignal?: AbortSignal | undefined;
}

/** The used fields of a message. */
export interface AiSdkMessage {
  readonly role: string;
  readonly content: string | readonly AiSdkPart[];
}

/** The used fields of a message part. */
export interface AiSdkPart {
  readonly type: string;
}

/** A result as the model sees it. */
export type AiSdkModelOutput =
  | { type: "text"; value: string }
  | { type: "error-text"; value: string }
  | { type: "content"; value: AiSdkContent[] };

/** A content part of a result that has several, such as images. */
export type AiSdkContent =
  | { type: "text"; text: string }
  | {
      type: "file";
      mediaType: string;
      data: { type: "data"; data: string };
      /** How closely a model of OpenAI looks at an image. */
      providerOptions?: { openai: { imageDetail: string } };
    };
