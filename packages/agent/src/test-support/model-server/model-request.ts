/** How a provider's requests and answers look. */
export type ModelFormat = "responses" | "chat" | "anthropic" | "gemini";

/** A call as it is sent back to the model. */
export interface SentCall {
  readonly id: string;
  readonly name: string;
  /** Parsed where it is JSON. */
  readonly arguments: unknown;
}

/** The result of a call as the model sees it. */
export interface SentResult {
  readonly callId: string;
  readonly text: string;
}

/**
 * A message, the same for all formats: neighbours of one role are one message, and results have a message
 * of their own.
 */
export interface SentMessage {
  readonly role: "user" | "assistant" | "tool";
  /** Of results, their texts a line each. */
  readonly text: string;
  readonly calls?: readonly SentCall[];
  readonly results?: readonly SentResult[];
}

/** What the model is asked, whatever the format. */
export interface ModelRequest {
  readonly format: ModelFormat;
  /** The model's name as the provider has it. */
  readonly model: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The JSON as it was sent. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly isStreamed: boolean;
  readonly system: string;
  readonly messages: readonly SentMessage[];
  readonly toolNames: readonly string[];
  /** The text of the last message. */
  readonly lastText: string;
}
