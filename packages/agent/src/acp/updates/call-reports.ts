import type { PlanEntry, ToolCallUpdate, ToolKind } from "@agentclientprotocol/sdk";
import type { ToolResult } from "@haft/contract";
import { toVisibleLine } from "@haft/core/internal";
import type { AgentEvent } from "../../loop/agent-event.ts";
import type { AcpClient } from "../acp-client.ts";
import type { CallTraces } from "../delegation/call-traces.ts";
import { type LocationContext, toArgumentLocations, toResultLocations } from "./call-locations.ts";
import { toCallTitle } from "./call-title.ts";
import { quoteLine } from "./code-block.ts";
import { toRawOutput, toResultContent, toTextContent } from "./result-content.ts";

/** What reporting calls needs. */
export interface ReportedSession {
  readonly client: AcpClient;
  readonly traces: CallTraces;
  readonly place: LocationContext;
}

/** The subagent whose calls they are. Absent for the session's own calls. */
export interface CallOwner {
  /** Prefix of its call IDs, which makes them unique. */
  readonly prefix: string;
  /** Prefix of their titles. */
  readonly label: string;
}

/** An event of a call. */
export type CallEvent = Extract<AgentEvent, { readonly id: string }>;

/** Reports the progress of calls to a client. */
export interface CallReports {
  report(event: CallEvent, owner: CallOwner): void;
  /** Shows text with a running call. */
  showWords(toolCallId: string, text: string): void;
  /** Ends the calls that are still running, and clears the list. */
  end(): void;
}

interface ReportedCall {
  readonly callId: string;
  readonly toolCallId: string;
  readonly tool: string | undefined;
  terminalId?: string;
}

/** Creates the call reports of a turn. */
export function createCallReports({ client, traces, place }: ReportedSession): CallReports {
  const running = new Map<string, ReportedCall>();
  const update = (toolCallId: string, changed: Omit<ToolCallUpdate, "toolCallId">): void =>
    client.update({ sessionUpdate: "tool_call_update", toolCallId, ...changed });

  traces.onTerminal((callId, terminalId) => {
    const call = [...running.values()].find((one) => one.callId === callId);
    if (call === undefined) return;
    call.terminalId = terminalId;
    update(call.toolCallId, { content: [{ type: "terminal", terminalId }] });
  });

  const start = (event: StartedCall, { prefix, label }: CallOwner): void => {
    const { id: callId, name, tool, arguments: given } = event;
    const toolCallId = prefix + callId;
    running.set(toolCallId, { callId, toolCallId, tool });
    client.update({
      sessionUpdate: "tool_call",
      toolCallId,
      title: label + toCallTitle({ name, arguments: given, cwd: place.cwd }),
      kind: toKind(event),
      status: "pending",
      locations: toArgumentLocations(given, place),
      rawInput: given,
    });
    // A call is in progress from its start, unless it needs approval.
    update(toolCallId, { status: "in_progress" });
  };

  const finish = (event: EndedCall, call: ReportedCall): void => {
    const { result, remarks } = event;
    running.delete(call.toolCallId);
    const changes = traces
      .takeChanges(call.callId)
      .map((change) => ({ ...change, path: place.show(change.path) }));
    const locations = toResultLocations(result, place);
    update(call.toolCallId, {
      status: result.type === "output" ? "completed" : "failed",
      content: toResultContent({ result, remarks, changes, terminalId: call.terminalId }),
      rawOutput: toRawOutput(result),
      ...(locations.length > 0 && { locations }),
    });
    const entries = call.tool === "todo" ? toPlanEntries(result) : undefined;
    if (entries !== undefined) client.update({ sessionUpdate: "plan", entries });
  };

  const showWords = (toolCallId: string, text: string): void => {
    const call = running.get(toolCallId);
    if (call === undefined || call.terminalId !== undefined) return;
    update(toolCallId, { content: [toTextContent(text)] });
  };

  return {
    showWords,
    report: (event, owner) => {
      if (event.type === "tool-call") start(event, owner);
      const call = running.get(owner.prefix + event.id);
      if (call === undefined) return;
      switch (event.type) {
        case "tool-state":
          if (event.state === "in-progress") update(call.toolCallId, { status: "in_progress" });
          if (event.state === "blocked-on-user") update(call.toolCallId, { status: "pending" });
          break;
        case "tool-progress":
          if (event.progress.message !== undefined) {
            showWords(call.toolCallId, quoteLine(toVisibleLine(event.progress.message)));
          }
          break;
        case "tool-result":
          finish(event, call);
          break;
      }
    },
    end: () => {
      for (const { toolCallId } of running.values()) update(toolCallId, { status: "failed" });
      running.clear();
      traces.clear();
    },
  };
}

type StartedCall = Extract<AgentEvent, { readonly type: "tool-call" }>;
type EndedCall = Extract<AgentEvent, { readonly type: "tool-result" }>;

function toKind({ tool, kind }: Pick<StartedCall, "tool" | "kind">): ToolKind {
  return tool === "plan_exit" ? "switch_mode" : (kind ?? "other");
}

/** Converts the result of a `todo` call to a plan. Returns `undefined` if it is not a list. */
function toPlanEntries(result: ToolResult): PlanEntry[] | undefined {
  if (result.type !== "output") return undefined;
  const { todos } = (result.data ?? {}) as { readonly todos?: unknown };
  if (!Array.isArray(todos)) return undefined;
  return todos.flatMap(({ content, status, priority }: Record<string, unknown>): PlanEntry[] => {
    const shown = statuses.find((one) => one === status);
    // A plan has no status for cancelled items.
    if (typeof content !== "string" || shown === undefined) return [];
    const weight = priorities.find((one) => one === priority) ?? "medium";
    return [{ content, status: shown, priority: weight }];
  });
}

const statuses = ["pending", "in_progress", "completed"] as const;
const priorities = ["high", "medium", "low"] as const;
