import type { ModelFinish } from "./model-answer.ts";
import type { ModelFormat, SentMessage } from "./model-request.ts";

/** Parsed JSON of somebody else's making. */
export type Json = Readonly<Record<string, unknown>>;

/** An answer with everything said that a wire needs. */
export interface WireAnswer {
  /** Counts the answers, from 1 on: no two have the same ids. */
  readonly number: number;
  readonly model: string;
  readonly deltas: readonly string[];
  readonly reasoning: string | undefined;
  readonly calls: readonly WireCall[];
  readonly usage: { readonly input: number; readonly output: number; readonly cached: number };
  readonly finish: ModelFinish;
}

/** A call with its arguments as text, which need not be JSON. */
export interface WireCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** An HTTP error that a wire puts as its provider does. */
export interface WireError {
  readonly status: number;
  readonly message: string;
}

/** How a provider's requests and answers look. */
export interface ModelWire {
  readonly format: ModelFormat;
  /** Whether requests to this path are of this kind. */
  handles(path: string): boolean;
  readModel(body: Json, path: string): string;
  readSystem(body: Json): string;
  /** One after the other as they stand; neighbours are joined elsewhere. */
  readMessages(body: Json): SentMessage[];
  readToolNames(body: Json): string[];
  /** The events of a streamed answer, each as it goes over the wire. */
  stream(answer: WireAnswer, body: Json): readonly string[];
  /** The answer to a client that wants it in one piece. */
  whole(answer: WireAnswer, body: Json): Json;
  error(error: WireError): Json;
  /** The event that tells of an error in the middle of a stream. */
  streamError(error: WireError): string;
}

/** The list at a key; none where there is no list. */
export function listAt(value: unknown, key: string): readonly Json[] {
  const list = typeof value === "object" && value !== null ? (value as Json)[key] : undefined;
  return Array.isArray(list) ? list : [];
}

/** The object at a key; an empty one where there is none. */
export function objectAt(value: Json, key: string): Json {
  const found = value[key];
  return typeof found === "object" && found !== null ? (found as Json) : {};
}

/** The text of a content: as it is, of its parts, or else as JSON. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map((part: Json) => textOfPart(part)).join("\n");
}

/** What a text stands for as JSON; the text itself where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A server-sent event. */
export function toEvent(data: Json, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

function textOfPart(part: Json): string {
  return typeof part.text === "string" ? part.text : `[${String(part.type)}]`;
}
