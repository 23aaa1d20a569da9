import { defineTool, type ObjectSchema, type Runtime, type Tool, ToolError } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import { toPlainData, toPlainText } from "@haft/core/internal";
import type { CallLog } from "./call-log.ts";
import { describeTool, toPlainSchema } from "./plain-schema.ts";
import type { PlatformApi, PlatformResult, PlatformTool, PlatformVersion } from "./platform-api.ts";
import type { ToolCallSpec } from "./tool-call-spec.ts";

/** A spec with its tool and version. */
export interface ResolvedSpec {
  readonly spec: ToolCallSpec;
  readonly tool: PlatformTool;
  readonly version: PlatformVersion;
}

/** What the calls of published tools share. */
export interface PublishedCalls {
  readonly api: PlatformApi;
  readonly log: CallLog;
  /** Returns the body of an invocation: arguments, mode, variables, conversation. */
  describe(args: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Called when a version may no longer exist. */
  gone(): void;
}

/** Makes a session's tool. Each call invokes exactly this version. */
export function toPublishedTool(resolved: ResolvedSpec, calls: PublishedCalls): Tool {
  const { spec, tool, version } = resolved;
  const { major, minor, patch } = version.version;
  const target = { toolId: tool.id, version: `${major}.${minor}.${patch}` };
  const id = /^\d/u.test(tool.name) ? `_${tool.name}` : tool.name;
  const texts = [tool.description, spec.additional_instruction];
  const published: Tool<Record<string, unknown>, string> = defineTool({
    id,
    description: describeTool(texts, version.output_schema),
    parameters: toPlainSchema(version.input_schema) as ObjectSchema,
    requires: {},
    kind: "other",
    source: "published",
    isolation: "sandbox",
    // The platform has its own limit for each version.
    timeoutMs: "none",
    persistence: spec.result_persistence ?? "persisted-preferred",
    maxOutput: { bytes: maxOutputBytes },
    execution: {
      resourceKeys: () => [{ type: "name", key: `published:${tool.id}`, mode: "write" }],
    },
    execute: async (args, runtime) => {
      const logged = calls.log.start(runtime.callId, id);
      const stopFiller = startFiller(spec, runtime);
      try {
        const result = await calls.api.invoke(target, await calls.describe(args), {
          signal: runtime.signal,
          onStatus: (untrusted) => {
            const event = toPlainData(untrusted);
            logged.report(event);
            reportStatus(event, runtime);
          },
        });
        const output = requireOutput(result, id);
        logged.end();
        return output;
      } catch (error) {
        logged.end(toErrorMessage(error));
        if (ToolError.isInstance(error) && error.code === "unavailable") calls.gone();
        throw error;
      } finally {
        stopFiller();
      }
    },
  });
  return published as Tool;
}

// The platform itself limits outputs to 20,000 characters.
const maxOutputBytes = 100 * 1024;

function reportStatus(event: unknown, { progress }: Runtime): void {
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

let next = 0;

/** Reports a filler to speak once if a call takes long. Returns a function that cancels it. */
function startFiller(spec: ToolCallSpec, { progress }: Pick<Runtime, "progress">): () => void {
  const { audio_fillers: fillers = [], audio_filler_triggered_after: seconds = 0 } = spec;
  if (fillers.length === 0) return () => {};
  const timer = setTimeout(() => {
    // Take the fillers in turn.
    const filler = fillers[next++ % fillers.length] as string;
    progress({ filler });
  }, seconds * 1_000);
  return () => clearTimeout(timer);
}
