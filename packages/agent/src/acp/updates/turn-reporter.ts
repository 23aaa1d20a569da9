import { randomUUID } from "node:crypto";
import type { AgentEvent, AgentListener } from "../../loop/agent-event.ts";
import type { AcpClient } from "../acp-client.ts";
import { type CallOwner, createCallReports, type ReportedSession } from "./call-reports.ts";

/** Reports the events of a turn to a client. */
export interface TurnReporter {
  readonly onEvent: AgentListener;
  /** Ends the calls that are still shown as running. */
  end(): void;
}

// A subagent's text is shown with the call that started it; its end is enough.
const maxWords = 4_000;

const own: CallOwner = { prefix: "", label: "" };

/** Creates the reporter of a turn. */
export function createTurnReporter(session: ReportedSession): TurnReporter {
  const { client } = session;
  const calls = createCallReports(session);
  const words = new Map<string, string>();

  const reportChild = ({ call, agent, thread, event }: SubagentEvent, parent: CallOwner): void => {
    const owner = { prefix: `${thread}/`, label: `${parent.label}${agent} › ` };
    if ("id" in event) calls.report(event, owner);
    if (event.type === "subagent") reportChild(event, owner);
    if (event.type === "text") {
      words.set(thread, ((words.get(thread) ?? "") + event.text).slice(-maxWords));
    }
    const said = event.type === "step-end" ? words.get(thread) : undefined;
    if (said === undefined) return;
    words.delete(thread);
    calls.showWords(parent.prefix + call, `${owner.label}${said}`);
  };

  const onEvent = (event: AgentEvent): void => {
    if ("id" in event) calls.report(event, own);
    switch (event.type) {
      case "text":
        show(client, "agent_message_chunk", event.text);
        break;
      case "reasoning":
        show(client, "agent_thought_chunk", event.text);
        break;
      case "subagent":
        reportChild(event, own);
        break;
      case "retry":
        notice(client, "warning", `Retrying the model request: ${event.reason}`);
        break;
      case "warning":
        notice(client, "warning", event.message);
        break;
      case "notice":
        notice(client, "info", event.text);
        break;
      case "compaction":
        reportCompaction(client, event.summary);
        break;
    }
  };
  return { onEvent, end: () => calls.end() };
}

/** Shows a message, as a notice to clients that support it and as agent text to others. */
export function reportStop(client: AcpClient, sentence: string): void {
  if (client.capabilities.session?.notices == null) {
    show(client, "agent_message_chunk", `\n\n${sentence}`);
  } else notice(client, "warning", sentence);
}

type SubagentEvent = Extract<AgentEvent, { readonly type: "subagent" }>;

function show(
  client: AcpClient,
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
  text: string,
): void {
  if (text !== "") client.update({ sessionUpdate, content: { type: "text", text } });
}

function notice(client: AcpClient, severity: "info" | "warning", text: string): void {
  if (client.capabilities.session?.notices == null) return;
  const [title = "", ...rest] = text.split("\n");
  const description = rest.length === 0 ? {} : { description: rest.join("\n") };
  client.update({ sessionUpdate: "notice", severity, title, ...description });
}

function reportCompaction(client: AcpClient, summary: string): void {
  if (client.capabilities.session?.compaction == null) return;
  client.update({
    sessionUpdate: "compaction_update",
    compactionId: randomUUID(),
    status: "completed",
    summary: [{ type: "text", text: summary }],
  });
}
