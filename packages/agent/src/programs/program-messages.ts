import type { JsonValue } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import { isTextNestedDeeper } from "@haft/core/internal";

/** The first line to a process, before it is ready. */
export interface RealmMessage {
  /** Source of the function that makes a program's globals. */
  readonly realm: string;
}

/** The program, as a line to its process. */
export interface RunMessage {
  readonly code: string;
  /** The properties of `tools`. */
  readonly names: readonly string[];
  /** Stored values as JSON, by key. */
  readonly stored: Readonly<Record<string, string>>;
  /** Maximum length of stored keys and values together. */
  readonly maxStored: number;
}

/** The answer to a `call`, `search` or `describe`, as a line to the process. */
export type AnswerMessage =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly code: string; readonly message: string } };

/** A line from the process. Nothing in it can be relied on but its form. */
export type ProgramMessage =
  | { readonly kind: "ready" }
  | {
      readonly kind: "call";
      readonly id: number;
      readonly name: string;
      readonly arguments: JsonValue;
    }
  | { readonly kind: "search"; readonly id: number; readonly query: string }
  | { readonly kind: "describe"; readonly id: number; readonly name: string }
  | { readonly kind: "print"; readonly text: string }
  /** Without `json` the value is removed. */
  | { readonly kind: "store"; readonly key: string; readonly json: string | undefined }
  | { readonly kind: "end"; readonly json: string | undefined }
  | {
      readonly kind: "fail";
      readonly message: string;
      readonly line: number | undefined;
      readonly code: string | undefined;
    };

const maxNameLength = 200;
const maxQueryLength = 400;
const maxKeyLength = 200;
const maxMessageLength = 10_000;

/** Reads a line of a program's process. Returns `undefined` if it is not a message. */
export function readProgramMessage(line: string): ProgramMessage | undefined {
  const message = parse(line);
  if (!isPlainObject(message)) return undefined;
  const { kind, id, name, query, text, key, json, line: at, code } = message;
  const isAnswered = Number.isSafeInteger(id) && (id as number) > 0;
  switch (kind) {
    case "ready":
      return { kind };
    case "call":
      if (!isAnswered || !isText(name, maxNameLength)) return undefined;
      return { kind, id: id as number, name, arguments: (message.arguments ?? {}) as JsonValue };
    case "search":
      return isAnswered && isText(query)
        ? { kind, id: id as number, query: query.slice(0, maxQueryLength) }
        : undefined;
    case "describe":
      return isAnswered && isText(name)
        ? { kind, id: id as number, name: name.slice(0, maxNameLength) }
        : undefined;
    case "print":
      return isText(text) ? { kind, text } : undefined;
    case "store":
      if (!isText(key, maxKeyLength) || !isOptionalText(json)) return undefined;
      return json === undefined || isJson(json) ? { kind, key, json } : undefined;
    case "end":
      return isOptionalText(json) && (json === undefined || isJson(json))
        ? { kind, json }
        : undefined;
    case "fail":
      return {
        kind,
        message: isText(message.message)
          ? message.message.slice(0, maxMessageLength)
          : "It gives no reason.",
        line: Number.isSafeInteger(at) && (at as number) > 0 ? (at as number) : undefined,
        code: isText(code, maxNameLength) ? code : undefined,
      };
    default:
      return undefined;
  }
}

function isText(value: unknown, maxLength = Number.POSITIVE_INFINITY): value is string {
  return typeof value === "string" && value.length <= maxLength;
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

function isJson(text: string): boolean {
  return parse(text) !== undefined;
}

function parse(text: string): unknown {
  if (isTextNestedDeeper(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
