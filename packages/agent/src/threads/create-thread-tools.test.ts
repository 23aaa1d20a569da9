import { spawnSync } from "node:child_process";
import { openSqliteRecorder } from "@haft/computer";
import type { Tool } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { createThreadTools } from "./create-thread-tools.ts";
import type { FindThreadData } from "./find-thread-tool.ts";
import { createMemoryThread } from "./memory-thread.ts";
import type { ReadThreadData } from "./read-page.ts";
import {
  answer,
  came,
  end,
  factsOf,
  openTestThreads,
  user,
} from "./test-support/open-test-threads.ts";
import type { Threads } from "./threads.ts";

function useTools(threads: Threads, own = "w-1/present") {
  const [find, read] = createThreadTools(async () => threads) as [Tool, Tool];
  const { session } = createTestRuntime();
  const runtime = createTestRuntime({ session: { ...session, id: own, roots: ["/w"] } });
  return {
    find: (args: object) => find.execute(args, runtime) as Promise<FindThreadData>,
    read: (args: object) => read.execute(args, runtime) as Promise<ReadThreadData>,
  };
}

async function openTalks() {
  const opened = await openTestThreads();
  const thread = opened.threads.open(factsOf("a"));
  const entries = [user("Fix the login"), answer("I look.", "1"), came("1"), answer("Done."), end];
  for (const entry of entries) thread.append(entry);
  opened.threads.open(factsOf("far", { workspace: "/far" })).append(user("Far login"));
  opened.threads.open(factsOf("hidden", { isOpaque: true })).append(user("Hidden login"));
  return { ...opened, ...useTools(opened.threads) };
}

const nothing = {
  find: () => undefined,
  takeIn: async () => {},
  search: () => [],
  list: () => [],
  calls: () => [],
};
const empty = async (): Promise<Threads> => nothing as Partial<Threads> as Threads;
const [findTool, readTool] = createThreadTools(empty) as [Tool, Tool];

describeToolContract(findTool, [
  { name: "nothing found", arguments: { query: "x" }, expect: { data: { threads: [] } } },
  { name: "no query", arguments: {}, expect: { error: "invalid-arguments" } },
]);
describeToolContract(readTool, [
  { name: "no such thread", arguments: { thread: "x" }, expect: { error: "not-found" } },
  {
    name: "before the first",
    arguments: { thread: "x", from: 0 },
    expect: { error: "invalid-arguments" },
  },
]);

describe("find_thread", () => {
  it("gives ids and snippets of this workspace, unless all are wanted", async () => {
    const { find } = await openTalks();
    const { threads, message } = await find({ query: "login" });
    expect(threads).toEqual([
      {
        thread: "w-1/a",
        title: "Fix the login",
        workspace: "/w",
        updated_at: expect.stringMatching(/^\d{4}-/u),
        snippet: "Fix the login",
      },
    ]);
    expect(message).toBe("Found 1 thread.");
    const all = await find({ query: "login", all_workspaces: true });
    expect(all.threads.map(({ thread }) => thread).sort()).toEqual(["w-1/a", "w-1/far"]);
    expect((await find({ query: "nonsense" })).message).toContain("all_workspaces");
  });

  it("puts the present thread last", async () => {
    const { threads } = await openTalks();
    threads.open(factsOf("present")).append(user("login login login"));
    const { find } = useTools(threads);
    expect((await find({ query: "login" })).threads.at(-1)?.thread).toBe("w-1/present");
    expect((await find({ query: "login", limit: 1 })).threads[0]?.thread).toBe("w-1/a");
  });

  it("opens nothing before it is used", () => {
    const tools = createThreadTools(() => Promise.reject(new Error("opened")));
    expect(tools.map(({ id }) => id)).toEqual(["find_thread", "read_thread"]);
  });
});

describe("read_thread", () => {
  it.each(["w-1/a", "a"])("shows who said and did what in %s", async (thread) => {
    const { read } = await openTalks();
    expect(await read({ thread })).toEqual({
      thread: "w-1/a",
      title: "Fix the login",
      workspace: "/w",
      entries: 5,
      content: [
        "#1 user: Fix the login",
        '#2 build: I look.\n-> read {"path":"1.txt"}',
        "#3 result of read: content of 1",
        "#4 build: Done.",
        "#5 turn ended: end",
      ].join("\n"),
    });
  });

  it("gives pages", async () => {
    const { read } = await openTalks();
    const first = await read({ thread: "a", limit: 2 });
    expect(first.next).toBe(3);
    const second = await read({ thread: "a", from: first.next, limit: 3 });
    expect(second.content).toMatch(/^#3 [\s\S]*#5 [^\n]*$/u);
    expect(second.next).toBeUndefined();
    expect((await read({ thread: "a", around: 4, limit: 2 })).content).toMatch(/^#3 .*\n#4 .*$/u);
    expect((await read({ thread: "a", from: 99 })).content).toBe("No entries.");
  });

  it("bounds what it shows, whatever was said", async () => {
    const { threads, read } = await openTalks();
    const thread = threads.open(factsOf("long"));
    for (let count = 0; count < 100; count++) thread.append(user("word ".repeat(20_000)));
    const page = await read({ thread: "long", limit: 200 });
    expect(page.content.length).toBeLessThan(40_000);
    expect(page.content).toContain("more characters]");
    expect(page.next).toBeGreaterThan(1);
  });

  it("shows the calls of a session without an agent", async () => {
    const { read, recordings } = await openTalks();
    const recorder = await openSqliteRecorder(recordings);
    recorder.record({
      session: "w-1/silent",
      callId: "1",
      name: "bash",
      tool: "bash",
      arguments: { command: "ls" },
      dialect: "portable",
      startedAt: 1,
      state: "done",
      result: { type: "output", data: { output: "a.txt" }, metadata: { duration_ms: 1 } },
    });
    await recorder.close();
    expect(await read({ thread: "silent" })).toMatchObject({
      thread: "w-1/silent",
      entries: 1,
      content: '#1 done: -> bash {"command":"ls"}\n{"output":"a.txt"}',
    });
  });

  it("names near threads where there is none, and knows none that is opaque", async () => {
    const { read } = await openTalks();
    await expect(read({ thread: "w-1/b" })).rejects.toMatchObject({
      code: "not-found",
      message: expect.stringContaining("w-1/a"),
    });
    await expect(read({ thread: "hidden" })).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("the package's entry for threads", () => {
  it("loads neither SQLite nor the AI SDK before threads are opened", () => {
    const urlOf = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `
      const { registerHooks } = await import("node:module");
      await import(${urlOf("../../../../test/programs/register-sources.mjs")});
      const seen = [];
      registerHooks({ resolve: (name, context, next) => (seen.push(name), next(name, context)) });
      await import(${urlOf("./index.ts")});
      const isLoaded = process.moduleLoadList.some((name) => name.includes("sqlite"));
      console.log(seen.includes("ai"), seen.includes("@haft/contract"), isLoaded);
    `;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      encoding: "utf8",
    });
    expect(stdout).toBe("false true false\n");
  });
});

describe("a thread in memory", () => {
  it("has an id of its own", () => {
    expect(createMemoryThread().facts.id).not.toBe(createMemoryThread().facts.id);
  });
});
