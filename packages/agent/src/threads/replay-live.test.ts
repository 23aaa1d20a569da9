import { openSqliteRecorder } from "@haft/computer";
import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { createRegistry, createSession } from "@haft/core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentEvent } from "../loop/agent-event.ts";
import { openTestAgent } from "../loop/test-support/open-test-agent.ts";
import { scriptModel } from "../loop/test-support/script-model.ts";
import { replayThread } from "./replay-thread.ts";
import { openTestThreads } from "./test-support/open-test-threads.ts";

// What is not stored: how an answer came in parts, states, how many tools were shown, kinds. Results are
// told as they come; a replay has them in the order of the calls.
function toStory(events: readonly AgentEvent[]): AgentEvent[] {
  const story: AgentEvent[] = [];
  for (const event of events) {
    const last = story.at(-1);
    if (event.type === "tool-state" || event.type === "tool-progress") continue;
    if (event.type === "text" && last?.type === "text") {
      story[story.length - 1] = { type: "text", text: last.text + event.text };
    } else if (event.type === "step-start") story.push({ ...event, tools: 0 });
    else if (event.type === "tool-call") {
      const { kind: _, ...rest } = event;
      story.push(rest);
    } else if (event.type === "tool-result" && last?.type === "tool-result" && event.id < last.id) {
      story.splice(-1, 0, event);
    } else story.push(event);
  }
  return story;
}

describe("the replay of what an agent did", () => {
  it("tells what was told then, with the very same results, and calls nothing", async () => {
    const { threads, recordings } = await openTestThreads();
    const recorder = await openSqliteRecorder(recordings);
    onTestFinished(() => recorder.close());
    let made = 0;
    const count = new MockTool({ name: "count", output: () => ({ count: ++made }) });
    const session = createSession({
      registry: createRegistry([count]),
      computer: createMemoryComputer(),
      recorder,
      rules: [{ permission: "*", pattern: "**", action: "allow" }],
      name: "live",
    });
    const facts = { id: session.id, name: session.name, workspace: "/w" };
    const call = (id: string, name = "count") => ({ id, name, input: {} });
    const model = scriptModel([
      { text: "I count.", calls: [call("1"), call("2"), call("3", "unknown")] },
      { calls: [call("1")] },
      { text: "Counted." },
      { text: "Gladly." },
    ]);
    const agent = openTestAgent(model, { session, thread: threads.open(facts) });
    await agent.prompt("Count.");
    await agent.prompt("Thanks.");
    await recorder.flush();

    const replayed: AgentEvent[] = [];
    const entries = threads.entries(session.id);
    replayThread({ facts, entries, calls: threads.calls(session.id) }, (event) => {
      replayed.push(event);
    });
    expect(replayed).toEqual(toStory(agent.events));
    expect(made).toBe(3);
    expect(model.requests).toHaveLength(4);
  });
});
