import type { AiSdkModelOutput } from "@haft/connect/ai-sdk";
import type { CallRecord } from "@haft/core";
import { callsOf } from "./entry-calls.ts";
import { toEntryText } from "./entry-text.ts";
import type { StoredEntry } from "./thread.ts";

/** How much of an entry is shown, in characters. */
export interface DescribeLimits {
  readonly text: number;
  readonly call: number;
  readonly result: number;
}

// What fits on a page.
const pageLimits: DescribeLimits = { text: 4000, call: 300, result: 600 };

/** An entry for somebody who reads the thread: who said what, which calls were made, what came back. */
export function describeEntry(
  { at, entry }: StoredEntry,
  limits: DescribeLimits = pageLimits,
): string {
  const text = clipText(toEntryText(entry), limits.text);
  switch (entry.kind) {
    case "user": {
      const files = entry.content.flatMap((part) =>
        part.type === "file" ? [`[file: ${part.mediaType}]`] : [],
      );
      return head(at, "user", [text, ...files]);
    }
    case "assistant": {
      const calls = callsOf(entry).map(
        ({ name, input }) => `-> ${name} ${clipText(toJson(input), limits.call)}`,
      );
      return head(at, entry.agent, [text, ...calls]);
    }
    case "notice":
    case "summary":
      return head(at, entry.kind, [text]);
    case "result":
      return head(at, `result of ${entry.name}`, [
        clipText(toOutputText(entry.output), limits.result),
      ]);
    case "turn-end":
      return head(at, "turn ended", [text === "" ? entry.reason : `${entry.reason}: ${text}`]);
  }
}

/** A recorded call for somebody who reads what was done in a session. */
export function describeCall(
  at: number,
  { name, arguments: args, state, result }: CallRecord,
  limits: DescribeLimits = pageLimits,
): string {
  const came = result.type === "error" ? result.error_text : toJson(result.data);
  return head(at, state, [
    `-> ${name} ${clipText(toJson(args), limits.call)}`,
    clipText(came, limits.result),
  ]);
}

/** The words that a model saw of a result. */
export function toOutputText(output: AiSdkModelOutput): string {
  if (output.type !== "content") return output.value;
  return output.value
    .map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`))
    .join("\n");
}

function clipText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}… [${text.length - most} more characters]`;
}

function head(at: number, who: string, lines: readonly string[]): string {
  const said = lines.filter((line) => line !== "").join("\n");
  return `#${at} ${who}: ${said}`;
}

function toJson(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
}
