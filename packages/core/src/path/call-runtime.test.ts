import { createMemoryComputer } from "@haft/computer/memory";
import type { RequirementSet, Runtime, Tool } from "@haft/contract";
import { MockTool } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import type { CallScope, Computer, RunScope } from "../computer.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { createScriptedHost } from "../hosts/scripted-host.ts";
import { parseRule } from "../rules/rule.ts";
import { createManualClock } from "../test-support/manual-clock.ts";
import { settle } from "../test-support/settle.ts";
import { startSession } from "../test-support/start-session.ts";

function makeTool(
  id: string,
  requires: RequirementSet,
  execute: (args: unknown, runtime: Runtime) => Promise<unknown>,
): Tool {
  return { ...new MockTool({ name: id, requires }), execute };
}

const files: RequirementSet = { fs: { read: ["**"], write: ["**"] } };

describe("the runtime of a call", () => {
  it("knows the call and the session, whose state stays", async () => {
    const tool = makeTool("tool", {}, async (_, { callId, session }) => {
      const before = await session.state.get("count");
      await session.state.set("count", ((before ?? 0) as number) + 1);
      return { callId, session: session.id, roots: session.roots, before };
    });
    const session = startSession(createMemoryComputer(), [tool]);
    await session.call({ name: "tool" });
    expect(await session.call({ id: "c2", name: "tool" })).toMatchObject({
      data: { callId: "c2", session: session.id, roots: ["/workspace"], before: 1 },
    });
  });

  it("tells the changes of all commands of a call", async () => {
    const computer = createMemoryComputer();
    const change = (path: string, undoable: boolean) =>
      ({ path, undoable, kind: "created" }) as const;
    const runs = [[change("/a", false)], [], [change("/b", true)]];
    const openShell: Computer["openShell"] = (scope) => {
      for (const changes of runs) scope.commandEnded(changes);
      return computer.openShell(scope);
    };
    const tool = makeTool("tool", { shell: [{ cmd: "*" }] }, async (_, { shell }) => typeof shell);
    const session = startSession({ ...computer, openShell }, [tool]);
    const { metadata } = await session.call({ name: "tool" });
    expect(metadata).toMatchObject({ reversible: false, changes_total: 2 });
  });

  it("can be taken apart", async () => {
    const tool = makeTool("tool", files, async (_, { fs, progress, host, signal }) => {
      progress({ message: "half" });
      await fs.write("a", "x");
      return [await host.question([{ question: "why?" }]), signal.aborted];
    });
    const session = startSession(createMemoryComputer(), [tool], {
      host: createScriptedHost({ question: () => [["so"]] }),
    });
    const heard: unknown[] = [];
    session.on("tool:progress", ({ callId, progress }) => heard.push([callId, progress]));
    expect(await session.call({ id: "c", name: "tool" })).toMatchObject({
      data: [[["so"]], false],
    });
    expect(heard).toEqual([["c", { message: "half" }]]);
  });

  it("refuses questions in a session that is not interactive", async () => {
    const tool = makeTool("tool", {}, (_, { host }) => host.question([{ question: "why?" }]));
    const session = startSession(createMemoryComputer(), [tool]);
    expect(await session.call({ name: "tool" })).toMatchObject({
      metadata: { error_code: "headless" },
    });
  });

  it("gives a tool that declares no files none", async () => {
    const peek = makeTool("peek", {}, (_, { fs }) => fs.read("a"));
    const poke = makeTool("poke", { fs: { read: ["**"] } }, (_, { fs }) => fs.write("a", "x"));
    const greedy = makeTool("greedy", files, async () => "");
    const computer = createMemoryComputer({ files: { a: "secret" } });
    const session = startSession(computer, [peek, poke, greedy]);
    for (const name of ["peek", "poke"]) {
      expect(await session.call({ name })).toMatchObject({
        metadata: { error_code: "out-of-scope" },
      });
    }
  });

  it("lets only tools that read files read what was cut off", async () => {
    const long = new MockTool({ name: "long", output: "abc", maxOutput: { bytes: 1 } });
    const read = async (args: unknown, { fs }: Runtime): Promise<string> =>
      new TextDecoder().decode(await fs.read((args as { path: string }).path));
    const reader = makeTool("reader", { fs: { read: [] } }, read);
    const other = makeTool("other", { fs: { write: ["/**"] } }, read);
    const session = startSession(createMemoryComputer(), [long, reader, other]);
    const { metadata } = await session.call({ name: "long" });
    const args = { path: metadata.output_path as string };
    expect(await session.call({ name: "reader", arguments: args })).toMatchObject({ data: "abc" });
    expect(await session.call({ name: "other", arguments: args })).toMatchObject({
      metadata: { error_code: "out-of-scope" },
    });
  });

  it("shows one session's cut-off output to no other", async () => {
    const computer = createMemoryComputer();
    const long = new MockTool({ name: "long", output: "abc", maxOutput: { bytes: 1 } });
    const reader = makeTool("reader", { fs: { read: ["**"] } }, (args, { fs }) =>
      fs.read((args as { path: string }).path),
    );
    const [one, two] = ["one", "one-two"].map((name) =>
      startSession(computer, [long, reader], { name }),
    );
    const path = (await two?.call({ name: "long" }))?.metadata.output_path as string;
    expect(await one?.call({ name: "reader", arguments: { path } })).toMatchObject({
      metadata: { error_code: "out-of-scope" },
    });
  });

  it("closes the files when the call has ended", async () => {
    const statuses: string[] = [];
    const goOn = Promise.withResolvers<void>();
    const stubborn = makeTool("stubborn", files, async (_, { fs, progress }) => {
      await goOn.promise;
      progress();
      const attempts = [
        fs.write("a", "late"),
        fs.read("a"),
        fs.stat("a"),
        fs.list("."),
        fs.remove("a"),
        fs.move("a", "b"),
      ];
      for (const { status } of await Promise.allSettled(attempts)) statuses.push(status);
    });
    const clock = createManualClock();
    const computer = createMemoryComputer({ files: { a: "early" } });
    const session = startSession(computer, [stubborn], { clock });
    let progressed = 0;
    session.on("tool:progress", () => progressed++);
    const result = session.call({ name: "stubborn" });
    await settle();
    session.abort();
    clock.advance(1_000);
    expect(await result).toMatchObject({ metadata: { error_code: "cancelled" } });
    goOn.resolve();
    await settle();
    expect(statuses).toEqual(Array.from({ length: 6 }, () => "rejected"));
    expect(progressed).toBe(0);
    expect(computer.openSession("default").changes).toEqual([]);
  });

  it("carries what the dialect asks of the tool", async () => {
    const tool = makeTool("tool", {}, async (_, { settings }) => settings);
    const dialect: Dialect = {
      name: "fixture",
      native: "shown",
      aliases: [{ name: "Tool", tool: "tool", settings: { lines: 5 } }],
    };
    const session = startSession(createMemoryComputer(), [tool], { dialect });
    expect(await session.call({ name: "Tool" })).toMatchObject({ data: { lines: 5 } });
    expect(await session.call({ name: "tool" })).toMatchObject({ data: {} });
  });

  it("lets a command that outlives its call apply its changes, and nothing else", async () => {
    const scopes: RunScope[] = [];
    const memory = createMemoryComputer();
    const computer: Computer = {
      ...memory,
      openShell: (scope) => {
        scopes.push(scope);
        return memory.openShell(scope);
      },
    };
    const ended = Promise.withResolvers<void>();
    const path = "/workspace/a";
    const tool: Tool = {
      ...makeTool("tool", { ...files, shell: [{ cmd: "*" }] }, async (_, { shell }) => {
        void shell;
        const command = { id: "c", command: "x", ended: ended.promise };
        scopes[0]?.outlive({ ...command, discard: async () => ended.resolve() });
        // The call itself holds this file.
        (await scopes[0]?.holdFiles([path]))?.();
        return undefined;
      }),
      execution: { resourceKeys: () => [{ key: "a", mode: "write" }] },
    };
    const session = startSession(computer, [tool]);
    const warnings: string[] = [];
    session.on("session:warning", ({ message }) => void warnings.push(message));
    await session.call({ name: "tool" });
    const { grant, signal, holdFiles } = scopes[0] as RunScope;
    const allowed = () => [grant.mayWrite(path), grant.mayRead(path), grant.mayRun(["x"])];
    expect(allowed()).toEqual([true, false, false]);
    const release = await holdFiles([path]);
    let isHeld = false;
    const next = holdFiles([path]).then(() => {
      isHeld = true;
    });
    await settle();
    expect(isHeld).toBe(false);
    release();
    await next;
    await session.suspend();
    expect(allowed()).toEqual([false, false, false]);
    expect(signal.aborted).toBe(true);
    expect(warnings).toEqual([expect.stringContaining("The background command c was stopped")]);
  });

  it("tells the files of a tool that goes through a directory what the rules deny", async () => {
    const scopes: CallScope[] = [];
    const memory = createMemoryComputer();
    const computer: Computer = {
      ...memory,
      openFiles: (scope) => {
        scopes.push(scope);
        return memory.openFiles(scope);
      },
    };
    const search: Tool = {
      ...makeTool("search", { fs: { read: ["**"] } }, (_, { fs }) => fs.list(".")),
      execution: { resourceKeys: () => [{ key: ".", mode: "read", tree: true }] },
    };
    const rules = ["* * allow", "search private/** deny"].map(parseRule);
    const session = startSession(computer, [search], { rules });
    await session.call({ name: "search" });
    expect(scopes[0]?.isDenied("/workspace/private/a", "read")).toBe(true);
    expect(scopes[0]?.isDenied("/workspace/public/a", "read")).toBe(false);
    expect(scopes[0]?.isNamed("/workspace/public/a")).toBe(false);
  });
});
