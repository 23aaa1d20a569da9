import { createMemoryComputer } from "@haft/computer/memory";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createMemoryRecorder } from "../recorder/memory-recorder.ts";
import { createRegistry } from "../registry/registry.ts";
import { createHeldTool } from "../test-support/held-tool.ts";
import { createManualClock } from "../test-support/manual-clock.ts";
import { settle } from "../test-support/settle.ts";
import { startSession } from "../test-support/start-session.ts";
import { createSession } from "./session.ts";

describe("a session", () => {
  it("allows what the default rules allow, and refuses the rest if it is not interactive", async () => {
    const tools = ["read", "write"].map((name) => new MockTool({ name, source: "builtin" }));
    const session = createSession({
      registry: createRegistry(tools),
      computer: createMemoryComputer(),
    });
    expect(await session.call({ name: "read" })).toMatchObject({ type: "output" });
    expect(await session.call({ name: "write" })).toMatchObject({
      metadata: { error_code: "headless" },
    });
  });

  it("is the same session for the same name on the same computer", async () => {
    const computer = createMemoryComputer();
    const one = startSession(computer, [], { name: "one" });
    expect(startSession(computer, [], { name: "one" }).id).toBe(one.id);
    expect(startSession(computer, [], { name: "two" }).id).not.toBe(one.id);
    expect(one.name).toBe("one");
    expect(startSession(computer, []).name).toBe("default");
  });

  it("shows the tools of the step", () => {
    const registry = createRegistry([new MockTool({ name: "a", kind: "read", source: "builtin" })]);
    const session = startSession(createMemoryComputer(), [], { registry });
    registry.add(new MockTool({ name: "b" }));
    expect(session.tools()).toEqual([
      {
        name: "a",
        tool: "a",
        description: "Does nothing except record its calls.",
        input_schema: { type: "object" },
        kind: "read",
        source: "builtin",
        requires: {},
      },
    ]);
    session.startStep();
    expect(session.tools().map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("tells that other tools will be shown, as long as it is open", async () => {
    const registry = createRegistry();
    const session = startSession(createMemoryComputer(), [], { registry });
    let told = 0;
    session.on("tools:changed", () => told++);
    const remove = registry.add(new MockTool({ name: "a" }));
    await remove();
    expect(told).toBe(2);
    await session.close();
    registry.add(new MockTool({ name: "b" }));
    expect(told).toBe(2);
  });

  it("extends its grant with its tools, from the next turn on", () => {
    const registry = createRegistry();
    const session = startSession(createMemoryComputer(), [], { registry });
    expect(session.grant.mayRead("/workspace/a")).toBe(false);
    registry.add(new MockTool({ name: "reader", requires: { fs: { read: ["**"] } } }));
    expect(session.grant.mayRead("/workspace/a")).toBe(false);
    session.startStep();
    expect(session.grant.mayRead("/workspace/a")).toBe(true);
  });

  it("gives back a batch in the order of its requests, with ids", async () => {
    const echo = new MockTool({ name: "echo", output: (input: unknown) => input });
    const session = startSession(createMemoryComputer(), [echo]);
    const outcomes = await session.batch([
      { id: "x", name: "echo", arguments: { n: 1 } },
      { name: "none" },
      { name: "echo", arguments: { n: 3 } },
    ]);
    expect(outcomes).toMatchObject([
      { id: "x", name: "echo", result: { data: { n: 1 } } },
      { name: "none", result: { type: "error" } },
      { name: "echo", result: { data: { n: 3 } } },
    ]);
    expect(new Set(outcomes.map(({ id }) => id)).size).toBe(3);
    expect(await session.batch([])).toEqual([]);
  });

  it("collects what modules contribute, and warns of those that throw", async () => {
    const session = startSession(createMemoryComputer(), []);
    const warnings: string[] = [];
    session.on("session:warning", ({ message }) => warnings.push(message));
    session.registerContributor("events", "a", () => ["tool:mine"]);
    session.registerContributor("events", "b", () => {
      throw new Error("broken");
    });
    expect(await session.collectContributions("events")).toEqual([["tool:mine"]]);
    expect(warnings).toEqual(["Contributor b on events threw: broken"]);
  });

  it("aborts what is under way and continues with what comes then", async () => {
    const clock = createManualClock();
    const tool = createHeldTool("tool", "read");
    const session = startSession(createMemoryComputer(), [tool], { clock });
    const running = session.call({ name: "tool" });
    await settle();
    session.abort();
    clock.advance(1_000);
    expect(await running).toMatchObject({ error_text: "The session was aborted." });
    const next = session.call({ name: "tool" });
    await settle();
    tool.calls[1]?.finish("next");
    expect(await next).toMatchObject({ data: "next" });
  });
});

describe("the end of a session", () => {
  it("stops its calls, keeps the records and takes the sidecars away", async () => {
    const computer = createMemoryComputer();
    const recorder = createMemoryRecorder();
    const clock = createManualClock();
    const held = createHeldTool("held", "read");
    const long = new MockTool({ name: "long", output: "abc", maxOutput: { bytes: 1 } });
    const session = startSession(computer, [held, long], { recorder, clock });
    const { metadata } = await session.call({ name: "long" });
    const running = session.call({ name: "held" });
    await settle();
    let isClosed = false;
    const closing = session.close().then(() => {
      isClosed = true;
    });
    await settle();
    expect(isClosed).toBe(false);
    clock.advance(1_000);
    await closing;
    expect(await running).toMatchObject({
      error_text: "The session was closed.",
      metadata: { error_code: "cancelled" },
    });
    expect([...recorder.list(session.id)].map(({ tool }) => tool)).toEqual(["long", "held"]);
    const grant = { mayRead: () => true } as never;
    const files = computer.openFiles({
      callId: "",
      grant,
      journal: { record: () => {}, latest: async () => [] },
      changed: () => {},
      isDenied: () => false,
      isNamed: () => false,
      signal: new AbortController().signal,
    });
    await expect(files.stat(metadata.output_path as string)).rejects.toThrow();
  });

  it("lets no call begin after it", async () => {
    const tool = new MockTool({ name: "tool" });
    const session = startSession(createMemoryComputer(), [tool]);
    const closing = session.close();
    expect(await session.call({ name: "tool" })).toMatchObject({
      error_text: "The session was closed.",
      metadata: { error_code: "cancelled" },
    });
    await closing;
    expect(tool.callCount).toBe(0);
  });

  it("happens once, however often it is requested", async () => {
    const computer = createMemoryComputer();
    let closed = 0;
    const openSession = (name: string) => {
      const storage = computer.openSession(name);
      return {
        ...storage,
        close: async () => {
          closed++;
        },
      };
    };
    const session = startSession({ ...computer, openSession }, []);
    await Promise.all([session.close(), session.close()]);
    expect(closed).toBe(1);
  });

  it("takes the sidecars away even if the records can't be kept", async () => {
    const computer = createMemoryComputer();
    let closed = 0;
    const openSession = (name: string) => ({
      ...computer.openSession(name),
      close: async () => {
        closed++;
      },
    });
    const flush = (): Promise<never> => Promise.reject(new Error("disk full"));
    const recorder = { ...createMemoryRecorder(), flush };
    const session = startSession({ ...computer, openSession }, [], { recorder });
    await expect(session.close()).rejects.toThrow("disk full");
    expect(closed).toBe(1);
  });

  it("is not a suspension, which waits for what is under way and keeps everything", async () => {
    const computer = createMemoryComputer();
    let flushed = 0;
    const flush = async (): Promise<void> => {
      flushed++;
    };
    const recorder = { ...createMemoryRecorder(), flush };
    const tool = createHeldTool("tool", "read");
    const session = startSession(computer, [tool], { recorder });
    const running = session.call({ name: "tool" });
    const suspended = session.suspend();
    await settle();
    expect(flushed).toBe(0);
    tool.calls[0]?.finish("done");
    await suspended;
    expect(await running).toMatchObject({ data: "done" });
    expect(flushed).toBe(1);
  });
});
