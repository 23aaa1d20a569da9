import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import { clipText } from "@haft/contract/internal";
import type { CallRecord } from "@haft/core";
import { callsOf } from "./entry-calls.ts";
import { toEntryText } from "./entry-text.ts";
import type { StoredEntry } from "./thread.ts";

/** Maximum lengths of an entry's parts, in characters. */
export interface DescribeLimits {
  readonly text: number;
  readonly call: number;
  readonly result: number;
}

// Chosen so that several entries fit on a page.
const pageLimits: DescribeLimits = { text: 4000, call: 300, result: 600 };

/** Describes an entry for a reader of the thread: messages, calls and results. */
export function describeEntry(
  { at, entry }: StoredEntry,
  limits: DescribeLimits = pageLimits,
): string {
  const text = clip(toEntryText(entry), limits.text);
  switch (entry.kind) {
    case "user": {
      const files = entry.content.flatMap((part) =>
        part.type === "file" ? [`[file: ${part.mediaType}]`] : [],
      );
      return head(at, "user", [text, ...files]);
    }
    case "assistant": {
      const calls = callsOf(entry).map(
        ({ name, input }) => `-> ${name} ${clip(toJson(input), limits.call)}`,
      );
      return head(at, entry.agent, [text, ...calls]);
    }
    case "notice":
    case "summary":
      return head(at, entry.kind, [text]);
    case "result":
      return head(at, `result of ${entry.name}`, [clip(toOutputText(entry.output), limits.result)]);
    case "turn-end":
      return head(at, "turn ended", [text === "" ? entry.reason : `${entry.reason}: ${text}`]);
  }
}

/** Describes a recorded call for a reader of the session. */
export function describeCall(
  at: number,
  { name, arguments: args, state, result }: CallRecord,
  limits: DescribeLimits = pageLimits,
): string {
  const came = result.type === "error" ? result.error_text : toJson(result.data);
  return head(at, state, [
    `-> ${name} ${clip(toJson(args), limits.call)}`,
    clip(came, limits.result),
  ]);
}

/** Returns a result as the text that the model saw. */
export function toOutputText(output: AiSdkModelOutput): string {
  if (output.type !== "content") return output.value;
  return output.value
    .map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`))
    .join("\n");
}

function clip(text: string, maxLength: number): string {
  const shown = clipText(text, maxLength, "");
  if (shown === text) return text;
  return `${shown}… [${text.length - shown.length} more characters]`;
}

function head(at: number, who: string, lines: readonly string[]): string {
  const said = lines.filter((line) => line !== "").join("\n");
  return `#${at} ${who}: ${said}`;
}

function toJson(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
}
