import { createMemoryComputer } from "@haft/computer/memory";
import type { Tool, ToolResult } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { createScriptedHost } from "../hosts/scripted-host.ts";
import { createMemoryRecorder } from "../recorder/memory-recorder.ts";
import { createReplay } from "../recorder/replay.ts";
import { parseRule } from "../rules/rule.ts";
import { createHeldTool } from "../test-support/held-tool.ts";
import { settle } from "../test-support/settle.ts";
import { startSession } from "../test-support/start-session.ts";
import type { NestedCalls, Session } from "./session.ts";
import type { SessionOptions } from "./session-options.ts";

type Run = (calls: NestedCalls) => Promise<unknown>;

const write: Tool<{ path: string }> = {
  id: "put",
  description: "Writes a file.",
  parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  requires: { fs: { write: ["{workspace}/**"] } },
  kind: "edit",
  source: "module",
  execution: { resourceKeys: ({ path }) => [{ key: path, mode: "write" }] },
  execute: async ({ path }, { fs }) => {
    await fs.write(path, new TextEncoder().encode("new"));
    return { path };
  },
};

/** A session with a tool `program` that makes the calls of `run`. */
function open(run: Run, tools: readonly Tool[] = [], options: Partial<SessionOptions> = {}) {
  const computer = createMemoryComputer({ files: { "a.txt": "old" } });
  const asking: boolean[] = [];
  const program: Tool = {
    id: "program",
    description: "Makes calls.",
    parameters: { type: "object" },
    requires: {},
    kind: "other",
    source: "module",
    timeoutMs: "none",
    execution: { resourceKeys: () => [] },
    execute: async (_, { callId, signal }) => {
      const calls = session.nest(callId, { onAsk: (isAsking) => asking.push(isAsking) });
      if (calls === undefined) return "not nested";
      const data = await run(calls);
      signal.throwIfAborted();
      return data;
    },
  };
  const recorder = createMemoryRecorder();
  const session: Session = startSession(computer, [program, write as Tool, ...tools], {
    recorder,
    ...options,
  });
  return {
    computer,
    session,
    recorder,
    asking,
    start: (id?: string) => session.call({ name: "program", ...(id !== undefined && { id }) }),
  };
}

const textOf = (result: ToolResult): unknown =>
  result.type === "output" ? result.data : result.error_text;

describe("session.nest", () => {
  it("makes calls whose records name the call that made them", async () => {
    const { session, recorder, start } = open(async (calls) => {
      await calls.call({ name: "put", arguments: { path: "b.txt" } });
      return textOf(await calls.call({ name: "nothing" }));
    });
    const events: (string | undefined)[] = [];
    session.on("tool:state", ({ parentId }) => events.push(parentId));
    const result = await start("outer");
    expect(textOf(result)).toContain("nothing");
    const rows = [...recorder.list(session.id)];
    expect(rows.map(({ name, result }) => [name, result.metadata.parent_id])).toEqual([
      ["put", "outer"],
      ["nothing", "outer"],
      ["program", undefined],
    ]);
    expect(new Set(events)).toEqual(new Set(["outer", undefined]));
    expect(result.metadata.track_files).toEqual(["/workspace/b.txt"]);
  });

  it("answers from a recording without the calls of programs", async () => {
    const { session, recorder, start } = open(async (calls) => {
      await calls.call({ name: "put", arguments: { path: "b.txt" } });
      return 1;
    });
    await start();
    const replay = createReplay(recorder.list(session.id));
    expect(await replay.call({ name: "program" })).toMatchObject({ data: 1 });
    expect(await replay.call({ name: "put", arguments: { path: "b.txt" } })).toMatchObject({
      metadata: { error_code: "not-found" },
    });
  });

  it("counts all changes as those of the outer call, which one undo restores", async () => {
    const { session, computer, start } = open(async (calls) => {
      for (const path of ["a.txt", "b.txt"]) await calls.call({ name: "put", arguments: { path } });
    });
    await start("outer");
    const { journal } = computer.openSession(session.name);
    const latest = await journal.latest();
    expect(latest.map(({ callId, path }) => [callId, path])).toEqual([
      ["outer", "/workspace/b.txt"],
      ["outer", "/workspace/a.txt"],
    ]);
  });

  it("refuses to nest twice, and for a call that does not run", async () => {
    const { session, start } = open(async (calls) => textOf(await calls.call({ name: "program" })));
    expect(textOf(await start())).toBe("not nested");
    expect(session.nest("no such call")).toBeUndefined();
  });

  it("does not wait for a later call that waits for the outer one", async () => {
    const alone = createHeldTool("alone", "write", { execution: { serial: true } });
    const { session, start } = open(
      async (calls) => {
        await settle();
        return textOf(await calls.call({ name: "put", arguments: { path: "b.txt" } }));
      },
      [alone as Tool],
    );
    const outer = start();
    const later = session.call({ name: "alone" });
    expect(await outer).toMatchObject({ data: { path: "b.txt" } });
    await settle();
    alone.calls[0]?.finish("done");
    expect(await later).toMatchObject({ data: "done" });
  });

  it("waits for a later call that runs already", async () => {
    const held = createHeldTool("held", "write");
    const ready = Promise.withResolvers<void>();
    const { session, start } = open(
      async (calls) => {
        await ready.promise;
        return textOf(await calls.call({ name: "held", arguments: { key: "a.txt" } }));
      },
      [held as Tool],
    );
    const outer = start();
    const later = session.call({ name: "held", arguments: { key: "a.txt" } });
    await settle();
    ready.resolve();
    await settle();
    expect(held.calls).toHaveLength(1);
    held.calls[0]?.finish("later");
    await later;
    await settle();
    held.calls[1]?.finish("inner");
    expect(await outer).toMatchObject({ data: "inner" });
  });

  it("lets two programs go on whose calls run alone", async () => {
    const alone: Tool = { ...write, id: "alone", execution: { serial: true } } as Tool;
    const { start } = open(
      async (calls) => {
        for (let index = 0; index < 5; index++) {
          await calls.call({ name: "alone", arguments: { path: `${index}.txt` } });
        }
        return "ended";
      },
      [alone],
    );
    const results = await Promise.all([start(), start(), start()]);
    expect(results.map(textOf)).toEqual(["ended", "ended", "ended"]);
  });

  it("cancels what the program left running, and says how much that was", async () => {
    const held = createHeldTool("held", "read");
    let left = Promise.resolve<ToolResult | undefined>(undefined);
    const { start } = open(
      async (calls) => {
        left = calls.call({ name: "held" });
        await settle();
        held.calls[0]?.runtime.signal.addEventListener("abort", () => {
          held.calls[0]?.fail(new Error("stopped"));
        });
        return calls.end();
      },
      [held as Tool],
    );
    expect(await start()).toMatchObject({ data: 1 });
    expect(await left).toMatchObject({
      error_text: "The program ended before this call did.",
      metadata: { error_code: "cancelled" },
    });
  });

  it("makes no call after the outer one has ended, and stops its calls with it", async () => {
    let late: NestedCalls | undefined;
    const held = createHeldTool("held", "read");
    const { session, start } = open(
      async (calls) => {
        late = calls;
        return textOf(await calls.call({ name: "held" }));
      },
      [held as Tool],
    );
    const outer = start();
    await settle();
    held.calls[0]?.runtime.signal.addEventListener("abort", () => {
      held.calls[0]?.fail(new Error("stopped"));
    });
    session.abort();
    expect(await outer).toMatchObject({ metadata: { error_code: "cancelled" } });
    expect(await late?.call({ name: "put", arguments: { path: "late.txt" } })).toMatchObject({
      metadata: { error_code: "cancelled" },
    });
  });
});

describe("a question about a call of a program", () => {
  const twice: Run = async (calls) => {
    const put = (path: string) => calls.call({ name: "put", arguments: { path } });
    return [textOf(await put("a.txt")), textOf(await put("b.txt")), textOf(await put("c.txt"))];
  };
  const rules = ["program * allow"].map(parseRule);

  it("says which of its calls it is about", async () => {
    const host = createScriptedHost({ ask: "once" });
    const { start, asking } = open(twice, [], { rules, host });
    await start("outer");
    expect(host.asked.map(({ program }) => program)).toMatchObject([
      { callId: "outer", call: 1, calls: 1 },
      { callId: "outer", call: 2, calls: 2 },
      { callId: "outer", call: 3, calls: 3 },
    ]);
    expect(host.asked[1]?.reason).toContain("call 2 of the 2 that this program has made");
    expect(asking).toEqual([true, false, true, false, true, false]);
  });

  it("can be answered for the rest of the program, but not for the next one", async () => {
    const wide = [parseRule("put ** allow")];
    const host = createScriptedHost({ ask: () => ({ answer: "program", rules: wide }) });
    const { start, session } = open(twice, [], { rules, host });
    await start();
    expect(host.asked).toHaveLength(1);
    await start();
    expect(host.asked).toHaveLength(2);
    expect(session.rules().map(({ rule }) => rule.permission)).not.toContain("put");
  });

  it("can be answered by ending the program", async () => {
    const host = createScriptedHost({ ask: ["once", "stop"] });
    const { start } = open(twice, [], { rules, host });
    expect(await start()).toMatchObject({
      error_text: "The user stopped this program.",
      metadata: { error_code: "rejected-by-user" },
    });
    expect(host.asked).toHaveLength(2);
  });

  it("does not take these answers for a call of the model", async () => {
    for (const answer of ["program", "stop"] as const) {
      const { session } = open(twice, [], { rules, host: createScriptedHost({ ask: answer }) });
      expect(await session.call({ name: "put", arguments: { path: "a.txt" } })).toMatchObject({
        metadata: { error_code: "rejected-by-user" },
      });
    }
  });
});
