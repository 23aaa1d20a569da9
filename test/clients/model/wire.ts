/** A tool as a client offers it to its model. */
export interface OfferedTool {
  /** With the namespace before it where the client has one, and a slash between. */
  readonly name: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: unknown;
}

/** A request to a model, in any wire format. */
export interface ModelRequest {
  readonly tools: readonly OfferedTool[];
  /** The text of every tool result so far, in order. */
  readonly results: readonly string[];
}

/** A call that a model makes. */
export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a model answers: one call, or its last words. */
export type ModelAnswer = { readonly call: ModelCall } | { readonly text: string };

/** How a provider's requests and answers look. */
export interface ModelWire {
  /** Whether requests to this path are of this kind. */
  handles(path: string): boolean;
  read(body: Json): ModelRequest;
  /** The events of a streamed answer, each as it goes over the wire. */
  stream(answer: ModelAnswer): readonly string[];
  /** The answer to a client that wants it in one piece. */
  whole(answer: ModelAnswer): Json;
}

/** Parsed JSON of somebody else's making. */
export type Json = Readonly<Record<string, unknown>>;

/** The list at a key; none where there is no list. */
export function listAt(value: unknown, key: string): readonly Json[] {
  const list = typeof value === "object" && value !== null ? (value as Json)[key] : undefined;
  return Array.isArray(list) ? list : [];
}

/** The text of a result: as it is, of all its text parts, or else as JSON. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content
    .map((part: Json) => (typeof part.text === "string" ? part.text : JSON.stringify(part)))
    .join("\n");
}

/** A server-sent event. */
export function toEvent(data: Json, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
