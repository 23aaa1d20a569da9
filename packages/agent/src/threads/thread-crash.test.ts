import { ToolError } from "@haft/contract";
import { describe, expect, it } from "vitest";
import {
  answer,
  came,
  end,
  factsOf,
  openTestThreads,
  user,
} from "./test-support/open-test-threads.ts";
import { spawnScript } from "./test-support/spawn-script.ts";

const kindsOf = (entries: Iterable<{ readonly entry: { readonly kind: string } }>): string[] =>
  [...entries].map(({ entry }) => entry.kind);

describe("a thread that a process left", () => {
  it("has every entry that was said to be kept when the process was killed", async () => {
    const { path, threads } = await openTestThreads();
    const script = await spawnScript("append-forever.ts", [path, "w-1/loop"]);
    const told = await script.linesUntil((line) => Number(line) >= 300);
    await script.kill();
    const last = Number(told.at(-1));
    const kept = [...threads.open(factsOf("loop")).entries()].map(({ at }) => at);
    expect(kept.length).toBeGreaterThanOrEqual(last);
    expect(kept).toEqual(kept.map((_, index) => index + 1));
  });

  it("is refused while the other process lives, and can be forked meanwhile", async () => {
    const { path, threads } = await openTestThreads();
    const script = await spawnScript("append-forever.ts", [path, "w-1/loop"]);
    await script.linesUntil(() => true);
    const open = () => threads.open(factsOf("loop"));
    expect(open).toThrow(ToolError);
    expect(open).toThrow(/Session "loop" is in use.*--session.*haft sessions fork loop/u);
    expect(threads.fork("w-1/loop", factsOf("fork")).entries).toBeGreaterThan(0);
    await script.kill();
    expect(open().facts.name).toBe("loop");
  });

  it("ends calls that were under way as errors and takes what had ended from the record", async () => {
    const { path, directory, threads } = await openTestThreads();
    const script = await spawnScript("die-in-call.ts", [path, directory]);
    const [id = ""] = await script.linesUntil(() => true);
    await script.kill();
    const thread = threads.open({ id, name: "crash", workspace: directory });
    const entries = [...thread.entries()].map(({ entry }) => entry);
    expect(entries.slice(2)).toEqual([
      {
        kind: "result",
        callId: "a",
        name: "endless",
        output: {
          type: "error-text",
          value: expect.stringMatching(/may have taken effect.*not run again/u),
        },
      },
      {
        kind: "result",
        callId: "b",
        name: "quick",
        output: { type: "text", value: expect.stringContaining("it was quick") },
      },
      { kind: "turn-end", reason: "error", error: "interrupted" },
    ]);
    const calls = [...threads.calls(id)];
    expect(calls.map(({ callId, state }) => [callId, state])).toEqual([
      ["b", "done"],
      ["a", "error"],
    ]);
    expect(calls[1]).toMatchObject({
      name: "endless",
      arguments: {},
      result: { type: "error", metadata: { error_code: "interrupted" } },
    });
    thread.close();
    const again = threads.open({ id, name: "crash", workspace: directory });
    expect([...again.entries()]).toHaveLength(entries.length);
  });

  it("is refused to the same process while it has it open", async () => {
    const { threads, again } = await openTestThreads();
    const thread = threads.open(factsOf("a"));
    expect(() => threads.open(factsOf("a"))).toThrow(ToolError);
    const others = await again();
    expect(() => others.open(factsOf("a"))).toThrow(ToolError);
    thread.close();
    expect(others.open(factsOf("a")).facts.name).toBe("a");
  });

  it.each([
    ["a prompt without an answer", [user("x")], ["user", "turn-end"]],
    ["an answer", [user("x"), answer("y")], ["user", "assistant", "turn-end"]],
    [
      "calls of which one came back",
      [user("x"), answer("y", "1", "2"), came("2")],
      ["user", "assistant", "result", "result", "turn-end"],
    ],
    ["an ended turn", [user("x"), end], ["user", "turn-end"]],
    [
      "a notice after a turn",
      [user("x"), end, { kind: "notice", text: "n" } as const],
      ["user", "turn-end", "notice"],
    ],
    ["nothing", [], []],
  ])("continues from %s", async (_, entries, kinds) => {
    const { threads } = await openTestThreads();
    const thread = threads.open(factsOf("a"));
    for (const entry of entries) thread.append(entry);
    thread.close();
    expect(kindsOf(threads.open(factsOf("a")).entries())).toEqual(kinds);
  });

  it("does not confuse an earlier call of the same id with the interrupted one", async () => {
    const { threads } = await openTestThreads();
    const thread = threads.open(factsOf("a"));
    for (const entry of [user("x"), answer("y", "1"), came("1"), answer("z", "1")]) {
      thread.append(entry);
    }
    thread.close();
    const entries = [...threads.open(factsOf("a")).entries()];
    expect(kindsOf(entries.slice(4))).toEqual(["result", "turn-end"]);
  });
});
