import type { ToolCallUpdate, ToolKind } from "@agentclientprotocol/sdk";
import { toVisibleLine } from "@haft/core";
import type { AgentEvent } from "../../loop/agent-event.ts";
import type { AcpClient } from "../acp-client.ts";
import type { CallTraces } from "../delegation/call-traces.ts";
import { type LocationPlace, toArgumentLocations, toResultLocations } from "./call-locations.ts";
import { toCallTitle } from "./call-title.ts";
import { toPlanEntries } from "./plan-entries.ts";
import { toRawOutput, toResultContent, toTextContent } from "./result-content.ts";

/** What a session's calls are reported with. */
export interface ReportedSession {
  readonly client: AcpClient;
  readonly traces: CallTraces;
  readonly place: LocationPlace;
}

/** Whose calls they are: nobody's but the session's own, or a subagent's. */
export interface CallOwner {
  /** In front of the ids of its calls, so that they are nobody else's. */
  readonly prefix: string;
  /** In front of their titles. */
  readonly label: string;
}

/** An event of a call. */
export type CallEvent = Extract<AgentEvent, { readonly id: string }>;

/** Reports calls to a client as they go. */
export interface CallReports {
  report(event: CallEvent, owner: CallOwner): void;
  /** Shows words with a call that is under way. */
  showWords(toolCallId: string, text: string): void;
  /** Ends what nobody ended, and forgets all. */
  end(): void;
}

interface ReportedCall {
  readonly callId: string;
  readonly toolCallId: string;
  readonly tool: string | undefined;
  terminalId?: string;
}

/** Makes the reports of a turn. */
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
    // A call is under way from its start on, unless it turns out that a person has to be asked.
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
            showWords(call.toolCallId, toVisibleLine(event.progress.message));
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
