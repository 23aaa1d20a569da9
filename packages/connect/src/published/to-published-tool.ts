import { defineTool, type ObjectSchema, type Runtime, type Tool, ToolError } from "@haft/contract";
import { toPlainText } from "../mcp-client/text/plain-text.ts";
import type { CallBook } from "./call-book.ts";
import type { PlatformApi, PlatformResult, PlatformTool, PlatformVersion } from "./platform-api.ts";
import { startFiller } from "./start-filler.ts";
import type { ToolCallSpec } from "./tool-call-spec.ts";

/** A spec with what the platform says of its tool. */
export interface ResolvedSpec {
  readonly spec: ToolCallSpec;
  readonly tool: PlatformTool;
  readonly version: PlatformVersion;
}

/** What the calls of published tools share. */
export interface PublishedCalls {
  readonly api: PlatformApi;
  readonly book: CallBook;
  /** What is sent with a call's arguments: mode, variables, where it comes from. */
  describe(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** Hears that a version is gone. */
  gone(): void;
}

/** Makes a tool of a published one: each call is an invocation of just this version. */
export function toPublishedTool(resolved: ResolvedSpec, calls: PublishedCalls): Tool {
  const { spec, tool, version } = resolved;
  const { major, minor, patch } = version.version;
  const place = { toolId: tool.id, version: `${major}.${minor}.${patch}` };
  const id = /^\d/u.test(tool.name) ? `_${tool.name}` : tool.name;
  const instruction = spec.additional_instruction ?? "";
  const published: Tool<Record<string, unknown>, string> = defineTool({
    id,
    description: toPlainText([tool.description, instruction].filter(Boolean).join("\n\n")),
    parameters: version.input_schema as ObjectSchema,
    requires: {},
    kind: "other",
    source: "published",
    isolation: "sandbox",
    // The platform has its own limit for each version.
    timeoutMs: "none",
    persistence: spec.result_persistence ?? "persisted-preferred",
    maxOutput: { bytes: mostOutputBytes },
    execution: {
      resourceKeys: () => [{ type: "name", key: `published:${tool.id}`, mode: "write" }],
    },
    execute: async (args, runtime) => {
      const booked = calls.book.begin(runtime.callId, id);
      const stopFiller = startFiller(spec, runtime);
      try {
        const result = await calls.api.invoke(place, calls.describe(args), {
          signal: runtime.signal,
          onStatus: (event) => {
            booked.told(event);
            tellStatus(event, runtime);
          },
        });
        const output = requireOutput(result, id);
        booked.ended();
        return output;
      } catch (error) {
        booked.ended(error instanceof Error ? error.message : String(error));
        if (ToolError.isInstance(error) && error.code === "unavailable") calls.gone();
        throw error;
      } finally {
        stopFiller();
      }
    },
  });
  return published as Tool;
}

// Twenty thousand characters is the platform's own limit.
const mostOutputBytes = 100 * 1024;

function tellStatus(event: unknown, { progress }: Runtime): void {
  progress({ message: typeof event === "string" ? event : JSON.stringify(event) });
}

const codes: Readonly<Record<string, ToolError["code"]>> = {
  Timeout: "timeout",
  OutputTooLarge: "too-large",
  Cancelled: "cancelled",
  WorkerDied: "failed",
};

function requireOutput(result: PlatformResult, id: string): string {
  if (result.succeeded) return toPlainText(result.output);
  const { exception_type: type, exception_message: message } = result;
  throw new ToolError(codes[type] ?? "failed", `${id} failed: ${type}: ${toPlainText(message)}`);
}
