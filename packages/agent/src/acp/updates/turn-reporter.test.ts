import type { ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../loop/agent-event.ts";
import type { AcpClient } from "../acp-client.ts";
import { createCallTraces } from "../delegation/call-traces.ts";
import { createTurnReporter, reportStop } from "./turn-reporter.ts";

function watch(capabilities: ClientCapabilities = {}) {
  const updates: SessionUpdate[] = [];
  const client = { capabilities, update: (update: SessionUpdate) => updates.push(update) };
  const traces = createCallTraces();
  const place = { cwd: "/project", show: (path: string) => path };
  const reporter = createTurnReporter({ client: client as unknown as AcpClient, traces, place });
  return {
    updates,
    traces,
    end: reporter.end,
    client: client as unknown as AcpClient,
    tell: (...events: readonly AgentEvent[]) => events.forEach(reporter.onEvent),
  };
}

const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0 };
const start: AgentEvent = {
  type: "tool-call",
  id: "1",
  name: "task",
  tool: "task",
  kind: "other",
  arguments: { subagent_type: "finder", prompt: "Find it." },
};
const inside = (event: AgentEvent): AgentEvent => {
  return { type: "subagent", call: "1", agent: "finder", thread: "t", event };
};

describe("the reporter of a turn", () => {
  it("shows a subagent's calls as its own, and its words with the call that spawned it", () => {
    const { updates, tell } = watch();
    tell(
      start,
      inside({ type: "text", text: "I " }),
      inside({ type: "text", text: "look." }),
      inside({ type: "step-end", step: 1, finish_reason: "tool-calls", usage }),
      inside({
        type: "tool-call",
        id: "1",
        name: "grep",
        tool: "grep",
        kind: "search",
        arguments: { pattern: "it", path: "/project/src" },
      }),
      inside({
        type: "tool-result",
        id: "1",
        name: "grep",
        result: {
          type: "output",
          data: { matches: [{ path: "/project/src/a.ts", line: 3, text: "it" }] },
          metadata: { duration_ms: 1 },
        },
      }),
    );
    expect(updates).toMatchObject([
      { toolCallId: "1", title: "task finder: Find it.", kind: "other" },
      { toolCallId: "1", status: "in_progress" },
      { toolCallId: "1", content: [{ content: { text: "finder › I look." } }] },
      { toolCallId: "t/1", title: "finder › grep it in src", kind: "search" },
      { toolCallId: "t/1", status: "in_progress" },
      {
        toolCallId: "t/1",
        status: "completed",
        locations: [{ path: "/project/src/a.ts", line: 3 }],
      },
    ]);
  });

  it("shows the calls of a subagent's subagent", () => {
    const { updates, tell } = watch();
    const deep: AgentEvent = {
      type: "subagent",
      call: "2",
      agent: "oracle",
      thread: "u",
      event: start,
    };
    tell(start, inside(deep));
    expect(updates.at(-2)).toMatchObject({
      toolCallId: "u/1",
      title: "finder › oracle › task finder: Find it.",
    });
  });

  it("leaves the result of a call as it is when its subagent continues in the background", () => {
    const { updates, tell } = watch();
    const result = { type: "output", data: "t", metadata: { duration_ms: 1 } } as const;
    tell(
      start,
      { type: "tool-result", id: "1", name: "task", result },
      inside({ type: "text", text: "More." }),
      inside({ type: "step-end", step: 1, finish_reason: "stop", usage }),
    );
    expect(updates).toHaveLength(3);
  });

  it("shows progress and pending questions, and ends calls that are still open", () => {
    const { updates, tell, end } = watch();
    tell(
      start,
      { type: "tool-progress", id: "1", progress: { message: "half\u202e way" } },
      { type: "tool-progress", id: "1", progress: { done: 1 } },
      { type: "tool-state", id: "1", state: "blocked-on-user" },
      { type: "tool-state", id: "unknown", state: "in-progress" },
    );
    end();
    expect(updates.slice(2)).toMatchObject([
      { content: [{ content: { text: "half\\u{202e} way" } }] },
      { status: "pending" },
      { status: "failed" },
    ]);
  });

  it("shows a terminal from its start, and no progress over it", () => {
    const { updates, tell, traces } = watch();
    tell(start);
    traces.noteTerminal("1", "term");
    traces.noteTerminal("unknown", "other");
    tell({ type: "tool-progress", id: "1", progress: { message: "line" } });
    expect(updates.slice(2)).toMatchObject([
      { content: [{ type: "terminal", terminalId: "term" }] },
    ]);
  });

  it("adds remarks, and shows a plan's end as another mode", () => {
    const { updates, tell } = watch();
    const result = {
      type: "output",
      data: { content: "a" },
      metadata: { duration_ms: 1 },
    } as const;
    tell(
      {
        type: "tool-call",
        id: "2",
        name: "plan_exit",
        tool: "plan_exit",
        kind: "other",
        arguments: {},
      },
      { type: "tool-result", id: "2", name: "plan_exit", result, remarks: ["One problem."] },
      { type: "tool-call", id: "3", name: "nothing", arguments: "{" },
    );
    expect(updates).toMatchObject([
      { kind: "switch_mode", title: "plan_exit" },
      {},
      {
        content: [
          { content: { text: "```\na\n```" } },
          { content: { text: "```\nOne problem.\n```" } },
        ],
      },
      { kind: "other", title: "nothing", rawInput: "{" },
      {},
    ]);
  });

  it("shows a picture as one, its bytes once", () => {
    const { updates, tell } = watch();
    const data = { path: "/project/a.png", type: "image", media_type: "image/png", data: "AAAA" };
    tell(start, {
      type: "tool-result",
      id: "1",
      name: "read",
      result: { type: "output", data, metadata: { duration_ms: 1 } },
    });
    expect(updates.at(-1)).toMatchObject({
      content: [{ content: { type: "image", mimeType: "image/png", data: "AAAA" } }],
      rawOutput: { path: "/project/a.png", type: "image", media_type: "image/png" },
    });
    expect(updates.at(-1)).not.toHaveProperty("rawOutput.data");
  });

  it("tells clients that have notices what they would not see otherwise", () => {
    const events: readonly AgentEvent[] = [
      { type: "retry", attempt: 1, delay_ms: 5, reason: "The line broke." },
      { type: "warning", message: "Careful.\nVery." },
      { type: "notice", text: "The task ended." },
      { type: "compaction", entries: 9, summary: "It was long." },
      { type: "step-start", step: 1, tools: 3 },
    ];
    const old = watch();
    old.tell(...events);
    expect(old.updates).toEqual([]);
    reportStop(old.client, "Too many steps.");
    expect(old.updates).toMatchObject([{ sessionUpdate: "agent_message_chunk" }]);
    const able = watch({ session: { notices: {}, compaction: {} } });
    able.tell(...events);
    reportStop(able.client, "Too many steps.");
    expect(able.updates).toMatchObject([
      { severity: "warning", title: "Retrying the model request: The line broke." },
      { severity: "warning", title: "Careful.", description: "Very." },
      { severity: "info", title: "The task ended." },
      { sessionUpdate: "compaction_update", summary: [{ text: "It was long." }] },
      { severity: "warning", title: "Too many steps." },
    ]);
  });
});
