import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSqliteRecorder, type SqliteRecorder } from "@haft/computer";
import type { CallRecord } from "@haft/core";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  answer,
  came,
  end,
  factsOf,
  openTestThreads,
  user,
} from "./test-support/open-test-threads.ts";
import type { ThreadFilter, Threads } from "./threads.ts";

function say(threads: Threads, name: string, ...texts: readonly string[]): void {
  const thread = threads.open(factsOf(name));
  for (const text of texts) {
    thread.append(user(text));
    thread.append(end);
  }
  thread.close();
}

const found = (threads: Threads, query: string, filter: ThreadFilter = {}): string[] =>
  threads.search(query, filter).map(({ thread }) => thread.name);

async function record(
  path: string,
  ...calls: readonly Partial<CallRecord>[]
): Promise<SqliteRecorder> {
  const recorder = await openSqliteRecorder(path);
  onTestFinished(() => recorder.close());
  for (const call of calls) {
    recorder.record({
      session: "w-1/silent",
      callId: "c",
      name: "bash",
      tool: "bash",
      arguments: { command: "make world" },
      dialect: "portable",
      startedAt: 5000,
      state: "done",
      result: {
        type: "output",
        data: { output: "built\tit" },
        metadata: { duration_ms: 1, isolation: "sandbox" },
      },
      ...call,
    });
  }
  await recorder.flush();
  return recorder;
}

describe("a search in threads", () => {
  it("finds text of every author", async () => {
    const { threads } = await openTestThreads();
    const thread = threads.open(factsOf("a"));
    thread.append(user("Fix the login"));
    thread.append(answer("The session cookie was stale.", "1"));
    thread.append(came("1", "an aardvark"));
    thread.append({ kind: "notice", text: "A tapir ended." });
    thread.append({ kind: "summary", text: "We met an ocelot." });
    thread.setTitle("Kangaroo work");
    for (const query of ["login", "COOKIE", "tapir", "ocelot", "kangaroo"]) {
      expect(found(threads, query)).toEqual(["a"]);
    }
    expect(found(threads, "aardvark")).toEqual([]);
  });

  it("says where, and shows some words around it", async () => {
    const { threads } = await openTestThreads();
    const padding = "lorem ipsum ".repeat(50);
    say(threads, "a", "Hello", `${padding}the purple elephant sings ${padding}`);
    const [hit] = threads.search("purple elephant");
    expect(hit).toMatchObject({ thread: { id: "w-1/a", title: "Hello", entries: 4 }, at: 3 });
    expect(hit?.snippet).toContain("the purple elephant sings");
    expect(hit?.snippet.length).toBeLessThanOrEqual(200);
  });

  it("finds what was said since the last search, and titles that were changed", async () => {
    const { threads } = await openTestThreads();
    say(threads, "a", "one");
    expect(found(threads, "two")).toEqual([]);
    say(threads, "a", "two");
    expect(found(threads, "two")).toEqual(["a"]);
    const thread = threads.open(factsOf("a"));
    thread.setTitle("three");
    thread.setTitle("four");
    expect([found(threads, "three"), found(threads, "four")]).toEqual([[], ["a"]]);
  });

  it("wants every word somewhere in the thread, and else any of them", async () => {
    const { threads } = await openTestThreads();
    say(threads, "both", "a red house", "a green door");
    say(threads, "red", "red red red");
    expect(found(threads, "red green")).toEqual(["both"]);
    expect(found(threads, "red purple")).toEqual(expect.arrayContaining(["both", "red"]));
    expect(found(threads, "purple")).toEqual([]);
  });

  it("matches the last word as a prefix", async () => {
    const { threads } = await openTestThreads();
    say(threads, "a", "authentication of users");
    expect(found(threads, "users authent")).toEqual(["a"]);
    expect(found(threads, "authent users")).toEqual(["a"]);
    expect(found(threads, "uthent")).toEqual([]);
  });

  it("leaves out opaque threads and other workspaces", async () => {
    const { threads } = await openTestThreads();
    threads.open(factsOf("hidden", { isOpaque: true })).append(user("secret plan"));
    threads.open(factsOf("elsewhere", { workspace: "/other" })).append(user("secret plan"));
    say(threads, "here", "secret plan");
    expect(found(threads, "secret", { workspace: "/w" })).toEqual(["here"]);
    expect(found(threads, "secret").sort()).toEqual(["elsewhere", "here"]);
    expect(found(threads, "secret", { opaque: true })).toHaveLength(3);
    expect(found(threads, "secret", { limit: 1 })).toHaveLength(1);
  });

  it("finds calls of every session, also without an agent, and from the last on", async () => {
    const { threads, directory, recordings } = await openTestThreads();
    const session = join(directory, "sessions", "w-1", "silent");
    mkdirSync(session, { recursive: true });
    const facts = { version: 1, id: "w-1/silent", name: "silent", workspace: "/w" };
    writeFileSync(join(session, "session.json"), JSON.stringify(facts));
    const recorder = await record(
      recordings,
      {},
      { session: "w-1/talk", arguments: "{broken giraffe" },
    );
    say(threads, "talk", "Hello");
    for (const query of ["bash", "world", "built"]) {
      expect(found(threads, query, { workspace: "/w" })).toContain("silent");
    }
    expect(threads.search("world")[0]).toMatchObject({
      thread: { id: "w-1/silent", calls: 1, entries: 0 },
      snippet: "bash make world built it",
    });
    expect(found(threads, "giraffe")).toEqual(["talk"]);
    expect(found(threads, "hello giraffe")).toEqual(["talk"]);
    for (const query of ["command", "sandbox"]) expect(found(threads, query)).toEqual([]);
    recorder.record({ ...([...recorder.list("w-1/silent")][0] as CallRecord), name: "grep" });
    await recorder.flush();
    expect(found(threads, "grep")).toEqual(["silent"]);
    expect(threads.list().map(({ name }) => name)).toEqual(["talk"]);
    expect(threads.find("w-1/silent")).toBeUndefined();
  });

  it("makes a thread of a session that had none before", async () => {
    const { threads, recordings } = await openTestThreads();
    await record(recordings, {});
    expect(found(threads, "world")).toEqual(["silent"]);
    say(threads, "silent", "Hello");
    expect(threads.find("w-1/silent")).toMatchObject({ entries: 2, calls: 0, title: "Hello" });
    expect(found(threads, "world hello")).toEqual(["silent"]);
  });

  it("does not find earlier searches for the same text", async () => {
    const { threads, recordings } = await openTestThreads();
    await record(recordings, { name: "find_thread", arguments: { query: "needle" } });
    expect(found(threads, "needle")).toEqual([]);
  });

  it("indexes a recording that was started over", async () => {
    const { threads, recordings, directory, again } = await openTestThreads();
    await record(recordings, {}, {}, {});
    expect(found(threads, "world")).toEqual(["silent"]);
    const other = join(directory, "other.db");
    await record(other, { session: "w-1/new", arguments: { command: "fresh" } });
    expect(found(await again({ recordings: other }), "fresh")).toEqual(["new"]);
  });

  it.each([
    '"',
    "'",
    "*",
    "NEAR(",
    "-",
    "a -b",
    "^a",
    "a:b",
    "{a} AND",
    "OR",
    "NOT",
    "(((",
    "🙂",
    "\0",
    "\ud800",
    "%",
    'a"b',
    "text:x",
    "x".repeat(10_000),
    "word ".repeat(2_000),
    "",
  ])("survives %j", async (query) => {
    const { threads } = await openTestThreads();
    say(threads, "a", "plain words");
    expect(threads.search(query)).toBeInstanceOf(Array);
  });

  it("survives whatever is asked", async () => {
    const { threads } = await openTestThreads();
    say(threads, "a", "plain words AND more NEAR(x)");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (query) => {
        threads.search(query);
        threads.search(`plain ${query}`);
      }),
      { numRuns: 200 },
    );
  });

  it("finds a text by its own words", async () => {
    const { threads } = await openTestThreads();
    const word = fc.stringMatching(/^[a-z]{3,10}$/u);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), (words, number) => {
        const name = `n${number}`;
        say(threads, name, words.join(" ? "));
        expect(found(threads, words.join(" "))).toContain(name);
      }),
      { numRuns: 30 },
    );
  });

  it("finds the one of a thousand threads", async () => {
    const { threads } = await openTestThreads();
    for (let number = 0; number < 1000; number++) {
      say(threads, `t${number}`, `Please look at the matter number${number} of the house`);
    }
    expect(found(threads, "the matter number637 of")).toEqual(["t637"]);
    expect(found(threads, "the house", { limit: 10 })).toHaveLength(10);
  });
});
