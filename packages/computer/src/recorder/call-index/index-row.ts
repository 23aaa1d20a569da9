import { basename } from "node:path";
import type { SQLInputValue } from "node:sqlite";
import { clipText, isPlainObject } from "@haft/contract/internal";
import type { CallRecord } from "@haft/core";
import { tokensOfText } from "@haft/core/internal";

/** The columns of an indexed call, in the order of `toIndexRow`. */
export const indexColumns: string = [
  ...["row", "session", "call_id", "parent_id", "name", "tool", "state", "started_at"],
  ...["duration_ms", "asked_ms", "queued_ms", "error_code", "isolation", "passage", "title"],
  ...["preview", "files", "changed", "sidecar", "child", "tokens"],
].join(", ");

/** What is indexed of a call. */
export interface IndexedCall {
  readonly values: readonly SQLInputValue[];
  readonly tokens: number;
  readonly isError: boolean;
  readonly files: readonly string[];
}

const maxTitleLength = 300;
const maxPreviewLength = 1_000;
const maxPreviewLines = 8;
const maxFiles = 20;

/** Converts a recorded call to a row of the index. `text` is its result as text. */
export function toIndexRow(row: number, record: CallRecord, text: string): IndexedCall {
  const { session, callId, name, state, startedAt, result, passage } = record;
  const { metadata } = result;
  const files = listFiles(metadata);
  // The result of a program's call costs no tokens: it went to the program.
  const tokens = metadata.parent_id === undefined ? tokensOfText(text) : 0;
  const values = [
    ...[row, session, callId, metadata.parent_id ?? null, name, record.tool ?? name, state],
    ...[startedAt, metadata.duration_ms ?? 0, passage?.asked_ms ?? 0, passage?.queued_ms ?? 0],
    ...[metadata.error_code ?? null, metadata.isolation ?? null],
    passage === undefined ? null : JSON.stringify(passage),
    clipText(toOneLine(record.arguments), maxTitleLength),
    clipText(text.split("\n", maxPreviewLines).join("\n"), maxPreviewLength),
    ...[JSON.stringify(files.slice(0, maxFiles)), files.length],
    metadata.output_path === undefined ? null : basename(metadata.output_path),
    findChild(result),
    tokens,
  ];
  return { values, tokens, isError: state === "error", files };
}

function listFiles({ track_files, changes }: CallRecord["result"]["metadata"]): readonly string[] {
  const paths = [...(track_files ?? []), ...(changes ?? []).map(({ path }) => path)];
  return [...new Set(paths)];
}

function toOneLine(args: CallRecord["arguments"]): string {
  // The arguments of a call with one are easier to read without their name.
  const values = isPlainObject(args) ? Object.values(args) : [];
  const [only] = values;
  const value = values.length === 1 && typeof only === "string" ? only : args;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.slice(0, 4 * maxTitleLength).replaceAll(/\s+/gu, " ");
}

function findChild(result: CallRecord["result"]): string | null {
  const data = result.type === "output" ? result.data : undefined;
  return isPlainObject(data) && typeof data.thread === "string" ? data.thread : null;
}
