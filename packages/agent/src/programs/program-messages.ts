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
  /** Set for a cell, whose globals are others: all tools, for the program to read. */
  readonly cell?: {
    readonly tools: readonly { readonly name: string; readonly description: string }[];
  };
}

/** What a cell outputs besides calls. */
export type CellMessage =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "image";
      readonly mediaType: string;
      /** In base64. */
      readonly data: string;
      readonly detail: ImageDetail | undefined;
    }
  | { readonly kind: "notify"; readonly text: string }
  | { readonly kind: "yield" };

/** How closely a model looks at an image. */
export type ImageDetail = "auto" | "low" | "high" | "original";

/** The answer to a `call`, `search` or `describe`, as a line to the process. */
export type AnswerMessage =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly code: string; readonly message: string } };

/** A line from the process. Nothing in it can be relied on but its form. */
export type ProgramMessage =
  | CellMessage
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
    case "text":
    case "notify":
      return isText(text) ? { kind, text } : undefined;
    case "image":
      return readImage(message);
    case "yield":
      return { kind };
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

function readImage({ mediaType, data, detail }: Record<string, unknown>): CellMessage | undefined {
  if (!isText(mediaType, maxNameLength) || !/^image\/[\w.+-]+$/u.test(mediaType)) return undefined;
  if (!isText(data) || !/^[\w+/-]+={0,2}$/u.test(data)) return undefined;
  const known = details.find((one) => one === detail);
  return { kind: "image", mediaType, data, detail: known };
}

const details: readonly ImageDetail[] = ["auto", "low", "high", "original"];

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
