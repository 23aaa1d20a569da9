import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../loop/agent-event.ts";
import { type ScriptedAnswer, scriptModel } from "../loop/test-support/script-model.ts";
import { makeManifest, openTestAgents } from "./test-support/open-test-agents.ts";

function taskFor(subagent_type: string) {
  return { name: "task", arguments: { subagent_type, prompt: "Find it." } };
}

const call = (name: string, input: unknown): ScriptedAnswer => ({
  calls: [{ id: `c-${name}`, name, input }],
});

describe("the events of subagents", () => {
  it("tells the parent's listeners what children do, and theirs", async () => {
    const heard: AgentEvent[] = [];
    const progress: (string | undefined)[] = [];
    const { session, sessions, subagents } = openTestAgents({
      manifests: [makeManifest("outer"), makeManifest("inner")],
      model: (agent) =>
        scriptModel([
          agent === "outer"
            ? call("task", taskFor("inner").arguments)
            : call("grep", { pattern: "needle" }),
          { text: `${agent} is done.` },
        ]),
    });
    const stop = subagents.onEvents(session.id, (event) => heard.push(event));
    subagents.onEvents(session.id, () => {
      throw new Error("A bad listener.");
    });
    session.on("tool:progress", (event) => {
      progress.push(event.progress.message);
    });
    await session.call({ id: "top", ...taskFor("outer") });
    const [outer, inner] = sessions.map(({ id }) => id);
    expect(heard).toContainEqual({
      type: "subagent",
      call: "top",
      agent: "outer",
      thread: outer,
      event: expect.objectContaining({ type: "tool-call", name: "task" }),
    });
    expect(heard).toContainEqual({
      type: "subagent",
      call: "top",
      agent: "outer",
      thread: outer,
      event: {
        type: "subagent",
        call: "c-task",
        agent: "inner",
        thread: inner,
        event: expect.objectContaining({ type: "tool-call", name: "grep" }),
      },
    });
    expect(progress).toContain("outer: task inner");
    stop();
    const before = heard.length;
    await session.call(taskFor("outer"));
    expect(heard).toHaveLength(before);
  });

  it("shows nothing but the answer of an opaque child", async () => {
    const heard: AgentEvent[] = [];
    const opaque = makeManifest("finder", { isInspectable: false });
    const { session, subagents } = openTestAgents({
      manifests: [opaque],
      model: () => scriptModel([call("grep", { pattern: "x" }), { text: "Found." }]),
    });
    subagents.onEvents(session.id, (event) => heard.push(event));
    const progress: unknown[] = [];
    session.on("tool:progress", (event) => {
      progress.push(event);
    });
    const result = await session.call(taskFor("finder"));
    expect(result).toMatchObject({ data: { text: "Found." } });
    expect((result as { data: object }).data).not.toHaveProperty("thread");
    expect(heard).toEqual([]);
    expect(progress).toEqual([]);
  });
});
