import type { JsonValue, ToolKind, ToolResult } from "@haft/contract";
import { hashText } from "../hash-text.ts";
import { boundJsonSize } from "../output/to-json.ts";
import type { Call } from "../path/call.ts";
import { callKey } from "../recorder/call-key.ts";
import type { RecentCall } from "../recorder/recorder.ts";
import type { EarlierCall } from "./watchdog.ts";

/** The last calls of a session, for the watchdog to look back on. */
export interface EarlierCalls {
  /** At most fifty, oldest first. */
  list(): readonly EarlierCall[];
  /** Takes in a call that has ended. `sent` are its arguments as they are recorded. */
  add(call: Call, result: ToolResult, sent: string | JsonValue): void;
}

/** Makes the memory of a session, which may have begun in another process. */
export function createEarlierCalls(
  recent: (limit: number) => readonly RecentCall[],
  kindOf: (tool: string) => ToolKind | undefined,
): EarlierCalls {
  let calls: EarlierCall[] | undefined;
  let failures = 0;
  const load = (): readonly RecentCall[] => {
    try {
      return recent(maxCalls);
    } catch {
      // Without a history the watchdog still checks the current call.
      return [];
    }
  };
  // What was recorded is asked for once, before anything of this process is.
  const start = (): EarlierCall[] => {
    if (calls === undefined) {
      calls = load().map((call) => fromRecent(call, kindOf));
      failures = calls.filter(({ failed }) => failed).length;
    }
    return calls;
  };
  return {
    list: start,
    add: (call, result, sent) => {
      const list = start();
      if (result.type === "error") failures++;
      // Most sessions have no failure in sight, and need not tell their calls apart.
      list.push(fromEnded(call, result, failures > 0 ? identifyCall(call.name, sent) : undefined));
      if (list.length > maxCalls && list.shift()?.failed) failures--;
    },
  };
}

/** An empty history, for sessions without a watchdog. */
export const noEarlierCalls: EarlierCalls = { list: () => [], add: () => {} };

/** The same for two calls if they are the same. */
export function identifyCall(name: string, sent: string | JsonValue): string {
  return hashText(callKey(name, sent));
}

const maxCalls = 50;
const maxKeptBytes = 64 * 1024;

function fromEnded(call: Call, result: ToolResult, identity: string | undefined): EarlierCall {
  const { tool, args, startedAt, subjects } = call;
  const failed = result.type === "error";
  return {
    tool: tool?.id,
    kind: tool?.kind,
    startedAt,
    arguments: isSmall(args, tool?.kind) ? (args as JsonValue) : undefined,
    subjects,
    failed,
    errorCode: failed ? result.metadata.error_code : undefined,
    isolation: result.metadata.isolation,
    identity,
  };
}

// Only what is written is ever long enough to matter.
function isSmall(args: unknown, kind: ToolKind | undefined): boolean {
  return kind !== "edit" || (boundJsonSize(args) ?? maxKeptBytes) < maxKeptBytes;
}

function fromRecent(
  { name, tool, arguments: args, startedAt, state, errorCode, isolation }: RecentCall,
  kindOf: (tool: string) => ToolKind | undefined,
): EarlierCall {
  const failed = state !== "done";
  return {
    tool,
    kind: tool === undefined ? undefined : kindOf(tool),
    startedAt,
    arguments: typeof args === "string" ? parse(args) : args,
    subjects: [],
    failed,
    errorCode,
    isolation,
    identity: args === undefined ? undefined : identifyCall(name, args),
  };
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text;
  }
}
