import { createMemoryComputer } from "@haft/computer/memory";
import { addToolSource } from "@haft/connect";
import type { Tool } from "@haft/contract";
import { createTestRuntime, describeToolContract, MockTool } from "@haft/contract/testing";
import { createRegistry, createSession, type Session } from "@haft/core";
import { describe, expect, it } from "vitest";
import { createEnterStateTool } from "./create-enter-state-tool.ts";
import { openStateGraph } from "./open-state-graph.ts";
import type { StateGraph } from "./state-graph.ts";
import { type FakePlatform, idOf, startFakePlatform } from "./test-support/fake-platform.ts";

const spec = (name: string): object => ({ tool_id: idOf(name) });

const graph = {
  initial: "support",
  states: [
    {
      type: "action",
      name: "support",
      objective: "Find out what is wrong.",
      instructions: "Be brief.",
      next: ["choose"],
      tools: ["read"],
      action_tool_call_specs: [spec("orders"), spec("account")],
      exit_condition_tool_call_specs: [spec("judge")],
    },
    {
      type: "decision",
      name: "choose",
      next: ["support", "think", "refund"],
      tools: ["grep"],
      tool_call_specs: [spec("account"), spec("prices")],
    },
    { type: "reflection", name: "think", next: ["choose"], tool_call_specs: [spec("history")] },
    {
      type: "tool-call",
      name: "refund",
      tool_id: idOf("pay"),
      tool_call_specs: [spec("prices")],
    },
  ],
};
const published = ["orders", "account", "judge", "prices", "history", "pay"];
const native = (): Tool[] =>
  ["read", "grep", "bash"].map(
    (name) => new MockTool({ name, source: "builtin", output: `${name} done` }),
  );

interface Opened {
  readonly graph: StateGraph;
  readonly session: Session;
  readonly platform: FakePlatform;
  readonly warnings: readonly string[];
}

async function open(value: unknown = graph): Promise<Opened> {
  const platform = await startFakePlatform(published);
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  const opened = await openStateGraph({
    graph: value,
    platform: { url: platform.url, apiKey: "key" },
    warn,
  });
  const registry = createRegistry(native());
  addToolSource(registry, opened.source, warn);
  const session = createSession({
    registry,
    computer: createMemoryComputer(),
    rules: [{ permission: "*", pattern: "*", action: "allow" }],
  });
  opened.follow(session);
  session.startStep();
  return { graph: opened, session, platform, warnings };
}

const names = (session: Session): string[] =>
  session
    .tools()
    .map(({ name }) => name)
    .sort();
const codeOf = async (session: Session, name: string, args = {}): Promise<unknown> => {
  const result = await session.call({ name, arguments: args });
  return result.type === "output" ? "ok" : result.metadata.error_code;
};
const enter = (session: Session, state: string): Promise<unknown> =>
  codeOf(session, "enter_state", { state });

describe("a graph of states", () => {
  it("has the tools of each kind of state, and no others", async () => {
    const { graph, session, warnings } = await open();
    const status = "get_tool_call_status";
    expect(names(session)).toEqual(["account", "enter_state", status, "orders", "read"]);
    expect(await enter(session, "choose")).toBe("ok");
    session.startStep();
    expect(names(session)).toEqual(["account", "enter_state", status, "grep", "prices"]);
    expect(await enter(session, "think")).toBe("ok");
    session.startStep();
    expect(names(session)).toEqual(["enter_state", status, "history"]);
    expect(await enter(session, "choose")).toBe("ok");
    session.startStep();
    expect(await enter(session, "refund")).toBe("ok");
    session.startStep();
    expect(names(session)).toEqual([status, "pay", "prices"]);
    expect([graph.state, warnings]).toEqual(["refund", []]);
  });

  it("changes the next turn's tools only", async () => {
    const { graph, session, platform } = await open();
    const before = names(session);
    expect(
      await session.call({ name: "enter_state", arguments: { state: "choose" } }),
    ).toMatchObject({
      data: {
        state: "choose",
        message: 'You are in the state "choose" from the next turn on.',
      },
    });
    expect([graph.state, names(session)]).toEqual(["choose", before]);
    // Those of the state that was left go on until the turn ends.
    expect(await codeOf(session, "orders")).toBe("ok");
    expect(await codeOf(session, "account")).toBe("ok");
    expect(await codeOf(session, "read")).toBe("ok");
    expect(platform.invoked).toEqual(["orders", "account"]);
    // Those of the state that was entered wait for the next.
    expect(await codeOf(session, "prices")).toBe("not-available");
    expect(await codeOf(session, "grep")).toBe("not-available");
    session.startStep();
    expect(await codeOf(session, "prices")).toBe("ok");
    expect(await codeOf(session, "grep")).toBe("ok");
    expect(await codeOf(session, "orders")).toBe("unknown-tool");
    expect(await codeOf(session, "read")).toBe("not-available");
    expect(await codeOf(session, "bash")).toBe("not-available");
  });

  it("leads only where the present state leads", async () => {
    const { graph, session } = await open();
    const schema = (): unknown =>
      session.tools().find(({ name }) => name === "enter_state")?.input_schema.properties?.state;
    expect(schema()).toMatchObject({ enum: ["choose"] });
    expect(await enter(session, "refund")).toBe("invalid-arguments");
    expect(await enter(session, "nowhere")).toBe("invalid-arguments");
    expect(() => graph.enter("refund")).toThrow(
      'The state "support" leads to choose, not to "refund".',
    );
    expect(graph.state).toBe("support");
    graph.enter("choose");
    session.startStep();
    expect(schema()).toMatchObject({ enum: ["support", "think", "refund"] });
    graph.enter("refund");
    expect(() => graph.enter("choose")).toThrow('"refund" leads nowhere, not to "choose"');
  });

  it("enters one state a turn, also where a model wants two at once", async () => {
    const { graph, session } = await open();
    const wish = { name: "enter_state", arguments: { state: "choose" } };
    const outcomes = await session.batch([wish, wish]);
    expect(outcomes.map(({ result }) => result.type)).toEqual(["output", "error"]);
    expect(await enter(session, "think")).toBe("not-available");
    expect(graph.state).toBe("choose");
  });

  it("decides once per turn whether an action state can be left", async () => {
    const { graph, session } = await open();
    const before = names(session);
    const back = graph.evaluateExit();
    expect([graph.use, names(session)]).toEqual(["exit-condition", before]);
    session.startStep();
    expect(names(session)).toEqual(["enter_state", "get_tool_call_status", "judge", "read"]);
    expect(graph.instructions()).toContain("Judge now whether this state can be left.");
    back();
    session.startStep();
    expect([graph.use, names(session)]).toEqual(["action", before]);
    const late = graph.evaluateExit();
    graph.enter("choose");
    late();
    expect([graph.state, graph.use]).toEqual(["choose", "action"]);
    expect(() => graph.evaluateExit()).toThrow('"choose" is of type decision');
  });

  it("resumes in the state of a session, or starts again if there is no such state", async () => {
    const { graph, session, warnings } = await open();
    graph.resume("think");
    session.startStep();
    expect([graph.state, names(session)]).toEqual([
      "think",
      ["enter_state", "get_tool_call_status", "history"],
    ]);
    graph.resume(undefined);
    expect([graph.state, warnings]).toEqual(["support", []]);
    graph.resume("gone");
    expect([graph.state, warnings]).toEqual([
      "support",
      [
        'The session was in the state "gone", which the graph no longer has. It continues in "support".',
      ],
    ]);
  });

  it("says what is to be done in each state", async () => {
    const { graph } = await open();
    expect(graph.instructions()).toBe(
      [
        "# Current state: support",
        "In this state you act: do what the objective asks for, with the available tools.",
        "Objective: Find out what is wrong.",
        "Be brief.",
        "When that is done, continue with `enter_state`: choose.",
      ].join("\n\n"),
    );
    graph.enter("choose");
    expect(graph.instructions()).toContain("you decide which state comes next");
    graph.enter("think");
    expect(graph.instructions()).toContain("you reflect on what has happened");
    graph.enter("choose");
    graph.enter("refund");
    expect(graph.instructions()).toContain("The tool to call is `pay`.");
    expect(graph.instructions()).toContain("This is a final state");
  });

  it("keeps the rest of a session's role, and releases it", async () => {
    const { graph, session } = await open();
    const roles: unknown[] = [];
    const stop = graph.follow({ assume: (role) => roles.push(role) }, () => ({
      manifest: { name: "agent" },
    }));
    graph.enter("choose");
    await stop();
    graph.enter("think");
    expect(roles).toEqual([
      { manifest: { name: "agent" }, mode: { includeTools: expect.arrayContaining(["read"]) } },
      { manifest: { name: "agent" }, mode: { includeTools: expect.arrayContaining(["grep"]) } },
    ]);
    await graph.source.close();
    expect(names(session)).toContain("orders");
  });

  it("needs no platform where no state lists a published tool", async () => {
    const states = [
      { type: "action", name: "a", tools: ["read"], next: ["b"] },
      { type: "tool-call", name: "b", tool_id: "grep" },
    ];
    const warn = (): void => {};
    const graph = await openStateGraph({ graph: { initial: "a", states }, warn });
    const registry = createRegistry(native());
    addToolSource(registry, graph.source, warn);
    const session = createSession({
      registry,
      computer: createMemoryComputer(),
      mode: graph.mode(),
    });
    expect(names(session)).toEqual(["enter_state", "read"]);
    graph.follow(session);
    graph.enter("b");
    session.startStep();
    expect(names(session)).toEqual(["grep"]);
    expect(graph.instructions()).toContain("`grep`");
    const elsewhere = await openStateGraph({ graph: { initial: "a", states }, state: "b", warn });
    expect(elsewhere.state).toBe("b");
  });

  it("says what is missing", async () => {
    const warn = (): void => {};
    await expect(openStateGraph({ graph, warn })).rejects.toThrow(
      'The state "support" lists published tools, but no platform is configured.',
    );
    await expect(openStateGraph({ graph, state: "x", warn })).rejects.toThrow(
      'There is no state "x". States: support, choose, think, refund.',
    );
    await expect(openStateGraph({ graph: {}, warn })).rejects.toThrow("states must be a list");
  });

  it("does without a published tool that is not there", async () => {
    const states = [{ type: "tool-call", name: "a", tool_id: idOf("gone"), tools: ["read"] }];
    const { graph, session, warnings } = await open({ initial: "a", states });
    expect(warnings).toEqual([
      `published: the tool ${idOf("gone")} does not exist, so it is left out.`,
    ]);
    expect(names(session)).toEqual(["get_tool_call_status", "read"]);
    expect(graph.instructions()).not.toContain("The tool to be called");
  });
});

const choose = {
  name: "a",
  type: "action" as const,
  conversation: { type: "action" as const, name: "a" },
  next: ["b"],
  tools: [],
};

describe("enter_state", () => {
  it("enters nothing when it is aborted", async () => {
    const entered: string[] = [];
    const door = { present: () => "a", enter: (name: string): void => void entered.push(name) };
    const tool = createEnterStateTool(choose, door);
    const runtime = createTestRuntime({ signal: AbortSignal.abort() });
    await expect(tool.execute({ state: "b" }, runtime)).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(entered).toEqual([]);
  });
});

describeToolContract(createEnterStateTool(choose, { present: () => "a", enter: () => {} }), [
  { name: "a state", arguments: { state: "b", reason: "Done." }, expect: { data: { state: "b" } } },
  { name: "another", arguments: { state: "c" }, expect: { error: "invalid-arguments" } },
]);
