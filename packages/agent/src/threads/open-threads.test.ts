import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createMemoryThread } from "./memory-thread.ts";
import { openThreads } from "./open-threads.ts";
import {
  answer,
  came,
  end,
  factsOf,
  openTestThreads,
  user,
} from "./test-support/open-test-threads.ts";
import type { Thread, ThreadEntry } from "./thread.ts";

const everything: ThreadEntry[] = [
  {
    kind: "user",
    content: [
      { type: "text", text: "Look \u0000 \ud83d\ude00" },
      { type: "file", mediaType: "image/png", data: "AAAA" },
    ],
  },
  {
    kind: "assistant",
    agent: "build",
    model: "anthropic/x",
    usage: { input_tokens: 1, output_tokens: 2, cached_tokens: 0, cost: 0.5 },
    content: [
      {
        type: "reasoning",
        text: "Hm.",
        providerOptions: { anthropic: { signature: "s" } },
      },
      { type: "text", text: "I see." },
      { type: "tool-call", toolCallId: "1", toolName: "read", input: { path: "a" } },
    ],
  },
  came("1"),
  { kind: "notice", text: "A task ended." },
  { kind: "summary", text: "So far." },
  { kind: "turn-end", reason: "max-steps", error: "Too many." },
];

describe.each<[string, () => Promise<Thread>]>([
  ["in memory", async () => createMemoryThread(factsOf("a"))],
  ["on disk", async () => (await openTestThreads()).threads.open(factsOf("a"))],
])("a thread %s", (_, open) => {
  it("gives back what was put into it, in order and numbered", async () => {
    const thread = await open();
    const stored = everything.map((entry) => thread.append(entry));
    expect(stored.map(({ at }) => at)).toEqual([1, 2, 3, 4, 5, 6]);
    expect([...thread.entries()]).toEqual(stored);
    expect([...thread.entries()].map(({ entry }) => entry)).toEqual(everything);
    expect([...thread.entries(5)]).toEqual(stored.slice(4));
    expect(thread.latest(1e6)).toEqual(stored.slice(4));
  });

  it("knows its facts and takes its title from what is said first", async () => {
    const thread = await open();
    expect(thread.facts).toMatchObject({ id: "w-1/a", name: "a", workspace: "/w" });
    expect(thread.title).toBeUndefined();
    thread.append({ kind: "notice", text: "Not this." });
    thread.append(user(`\n  Fix   the login${" now".repeat(50)}\nand more`));
    thread.append(user("Something else"));
    expect(thread.title).toMatch(/^Fix the login now .*…$/u);
    expect(thread.title).toHaveLength(80);
    thread.setTitle("Login");
    expect(thread.title).toBe("Login");
  });

  it("accepts no entries once it is closed", async () => {
    const thread = await open();
    thread.close();
    thread.close();
    expect(() => thread.append(end)).toThrow("closed");
  });
});

describe("openThreads", () => {
  it("keeps threads for later processes", async () => {
    const { threads, again } = await openTestThreads();
    const first = threads.open(factsOf("a"));
    const stored = [user("Fix it."), answer("Done."), end].map((entry) => first.append(entry));
    threads.close();
    const thread = (await again()).open(factsOf("a"));
    expect([...thread.entries()]).toEqual(stored);
    expect(thread.title).toBe("Fix it.");
    expect(thread.append(user("And now?")).at).toBe(4);
  });

  it("lists threads, the last used first, without the opaque ones", async () => {
    let now = 1000;
    const { threads } = await openTestThreads({ clock: () => now++ });
    for (const name of ["a", "b", "c"]) threads.open(factsOf(name)).append(user(`I am ${name}`));
    threads.open(factsOf("elsewhere", { workspace: "/other", parent: "w-1/a" })).append(user("x"));
    threads.open(factsOf("hidden", { isOpaque: true })).append(user("x"));
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
    expect(names(threads.list())).toEqual(["elsewhere", "c", "b", "a"]);
    expect(names(threads.list({ workspace: "/w", limit: 2 }))).toEqual(["c", "b"]);
    expect(names(threads.list({ opaque: true, limit: 1 }))).toEqual(["hidden"]);
    expect(threads.find("w-1/elsewhere")).toMatchObject({
      workspace: "/other",
      parent: "w-1/a",
      title: "x",
      entries: 1,
      calls: 0,
    });
    expect(threads.find("w-1/hidden")).toMatchObject({ isOpaque: true });
  });

  it("counts entries and calls, and knows who answered", async () => {
    const { threads } = await openTestThreads();
    const thread = threads.open(factsOf("a"));
    for (const entry of [user("x"), answer("y", "1", "2"), came("1"), came("2"), end]) {
      thread.append(entry);
    }
    expect(threads.find("w-1/a")).toMatchObject({ entries: 5, calls: 2, agent: "build" });
  });

  it("knows nothing of a thread that is not there", async () => {
    const { threads } = await openTestThreads();
    expect(threads.find("w-1/none")).toBeUndefined();
    expect([...threads.entries("w-1/none")]).toEqual([]);
    expect([...threads.calls("w-1/none")]).toEqual([]);
    expect(threads.search("anything")).toEqual([]);
  });

  it("keeps them from other users", async () => {
    const { path } = await openTestThreads();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("refuses a file that is not a thread database", async () => {
    const { directory } = await openTestThreads();
    const text = join(directory, "deep", "text.db");
    mkdirSync(dirname(text));
    writeFileSync(text, "a text that is long enough to be something else than a database");
    await expect(openThreads(text)).rejects.toThrow(/text\.db can't be opened/u);
    const recording = join(directory, "recordings.db");
    await expect(openThreads(recording)).rejects.toThrow("not a record of threads");
  });

  it("refuses a record of another version and names both", async () => {
    const { path, threads } = await openTestThreads();
    threads.close();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA user_version = 7");
    database.close();
    await expect(openThreads(path)).rejects.toThrow(/version 7.*version 1/u);
  });

  it("gives the latest part of a thread of 10,000 calls", async () => {
    const { threads } = await openTestThreads();
    const thread = threads.open(factsOf("long"));
    for (let call = 0; call < 10_000; call += 5) {
      const ids = Array.from({ length: 5 }, (_, index) => `c${call + index}`);
      const results = ids.map((id) => came(id, "x".repeat(200)));
      for (const entry of [user("More."), answer("Yes.", ...ids), ...results, end]) {
        thread.append(entry);
      }
    }
    thread.close();
    const latest = threads.open(factsOf("long")).latest(20_000);
    expect(latest.at(-1)?.at).toBe(16_000);
    expect(latest[0]?.entry.kind).toBe("user");
    expect(latest.length).toBeLessThan(200);
    expect(threads.find("w-1/long")).toMatchObject({ entries: 16_000, calls: 10_000 });
  });
});
