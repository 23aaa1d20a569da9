import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { answered, ended, said, talk } from "./test-support/talk.ts";

type Json = Record<string, unknown>;

/** A workspace with an agent's session, in which a call was made, and one without an agent. */
async function openTalk() {
  const workspace = createTestWorkspace({ "a.txt": "one\n" });
  const { haft } = workspace;
  await talk(workspace, { name: "work" }, [said("Fix the login"), answered("I look.", "c1")]);
  await haft(["batch", "-", "--session", "work"], {
    input: JSON.stringify([{ id: "c1", name: "read", arguments: { path: "a.txt" } }]),
  });
  const id = await talk(workspace, { name: "work" }, [said("Thanks"), answered("Gladly."), ended]);
  await haft(["call", "read", "path=a.txt"]);
  return { ...workspace, id };
}

describe("haft sessions list", () => {
  it("lists threads and sessions without one together", async () => {
    const { haft, id } = await openTalk();
    const listed = (await haft(["sessions", "--json"])).json<Json[]>();
    expect(listed.map(({ name }) => name).sort()).toEqual(["default", "work"]);
    expect(listed.find(({ name }) => name === "work")).toMatchObject({
      id,
      calls: 1,
      title: "Fix the login",
      agent: "build",
    });
    expect((await haft(["sessions"])).stdout).toMatch(/^work {2}1 call .*build: Fix the login$/mu);
  });

  it("shows subagents under their parents on request, and opaque ones never", async () => {
    const workspace = await openTalk();
    const { haft, id: parent } = workspace;
    await talk(workspace, { name: "work.finder", parent }, [said("Find it"), ended]);
    await talk(workspace, { name: "work.title", parent, isOpaque: true }, [said("Name it"), ended]);
    const { stdout } = await haft(["sessions"]);
    expect(stdout).toContain("+1 with --children");
    expect(stdout).not.toContain("work.finder");
    const all = (await haft(["sessions", "--children"])).stdout;
    expect(all).toMatch(/^work .*\n {2}work\.finder /mu);
    expect(all).not.toContain("work.title");
    const listed = (await haft(["sessions", "--json"])).json<Json[]>();
    expect(listed.filter((one) => one.parent === parent)).toMatchObject([{ name: "work.finder" }]);
  });
});

describe("haft sessions show", () => {
  it("shows what was said and done in an agent's session", async () => {
    const { haft } = await openTalk();
    const { stdout } = await haft(["sessions", "show", "work"]);
    expect(stdout).toMatch(
      /Z {2}user\n {4}Fix the login\n.*Z {2}build \(openai\/m\)\n {4}I look\.\n.*Z {2}read {2}done {2}.* ms {2}\{"path":"a\.txt"\}\n/u,
    );
    expect(stdout).toMatch(/turn ended: end\n$/u);
    const last = (await haft(["sessions", "show", "work", "--limit", "1"])).stdout;
    expect(last).toMatch(/^\(\d+ earlier entries not shown\)\n.*turn ended: end\n$/u);
  });

  it("gives scripts the same in the order of time", async () => {
    const { haft } = await openTalk();
    const moments = (await haft(["sessions", "show", "work", "--json"])).json<Json[]>();
    expect(moments.map(({ type }) => type)).toEqual([
      ...["user", "assistant", "call", "turn-end"],
      ...["user", "assistant", "turn-end"],
    ]);
    expect(moments[0]).toMatchObject({ at: 1, text: "Fix the login" });
    expect(moments[1]).toMatchObject({ text: "I look.", agent: "build", calls: ["c1"] });
    expect(moments[2]).toMatchObject({ id: "c1", name: "read", tool: "read", state: "done" });
    expect(moments[6]).toMatchObject({ reason: "end" });
  });

  it("shows calls that somebody else made in the session where they were made", async () => {
    const workspace = await openTalk();
    const { haft } = workspace;
    await haft(["call", "glob", "pattern=*", "--session", "work"]);
    await talk(workspace, { name: "work" }, [said("More"), ended]);
    const moments = (await haft(["sessions", "show", "work", "--json"])).json<Json[]>();
    expect(moments.slice(-3).map(({ type, name, text }) => name ?? text ?? type)).toEqual([
      "glob",
      "More",
      "",
    ]);
  });

  it("shows a thread in which no call was made", async () => {
    const workspace = createTestWorkspace();
    await talk(workspace, { name: "chat" }, [said("Hello"), answered("Hi."), ended]);
    const { stdout, exitCode } = await workspace.haft(["sessions", "show", "chat"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Hi.");
  });

  it("escapes text for a terminal", async () => {
    const workspace = createTestWorkspace();
    await talk(workspace, { name: "chat" }, [said("\u001b[2Jgone"), ended]);
    const { stdout } = await workspace.haft(["sessions", "show", "chat"]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("gone");
  });
});

describe("haft sessions search", () => {
  it("finds what was said, and calls that were made without an agent", async () => {
    const { haft, id } = await openTalk();
    expect((await haft(["sessions", "search", "fix", "login"])).stdout).toBe(
      "work  Fix the login\n    Fix the login\n",
    );
    const hits = (await haft(["sessions", "search", "login", "--json"])).json<Json[]>();
    expect(hits).toMatchObject([{ id, name: "work", snippet: "Fix the login", at: 1 }]);
    const calls = (await haft(["sessions", "search", "a.txt", "--json"])).json<Json[]>();
    expect(calls.map(({ name }) => name).sort()).toEqual(["default", "work"]);
  });

  it("stays in the workspace unless it is told not to", async () => {
    const workspace = await openTalk();
    await talk(workspace, { name: "far", workspace: "/elsewhere" }, [said("Far away"), ended]);
    const { haft } = workspace;
    expect((await haft(["sessions", "search", "away"])).stdout).toContain("--all");
    expect((await haft(["sessions", "search", "away", "--all"])).stdout).toContain("/elsewhere");
  });

  it("requires words to search for", async () => {
    const { exitCode, stderr } = await createTestWorkspace().haft(["sessions", "search"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("WORDS");
  });
});

describe("haft sessions export", () => {
  it("gives everything as JSON", async () => {
    const { haft, id } = await openTalk();
    const exported = (await haft(["sessions", "export", "work"])).json<{
      id: string;
      entries: Json[];
      calls: Json[];
    }>();
    expect(exported.id).toBe(id);
    expect(exported.entries.map(({ at, kind }) => [at, kind])).toEqual([
      [1, "user"],
      [2, "assistant"],
      [3, "result"],
      [4, "turn-end"],
      [5, "user"],
      [6, "assistant"],
      [7, "turn-end"],
    ]);
    expect(exported.calls).toMatchObject([{ id: "c1", result: { data: { content: "1: one" } } }]);
  });

  it("gives it line by line", async () => {
    const { haft } = await openTalk();
    const { stdout } = await haft(["sessions", "export", "work", "--format", "jsonl"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Json);
    expect(lines[0]).toMatchObject({ type: "thread", title: "Fix the login" });
    expect(lines.filter(({ type }) => type === "entry")).toHaveLength(7);
    expect(lines.filter(({ type }) => type === "call")).toHaveLength(1);
  });

  it("writes Markdown to a file for its owner only", async () => {
    const { haft, directory } = await openTalk();
    const args = ["sessions", "export", "work", "--format", "markdown", "--output", "work.md"];
    const { stdout, exitCode } = await haft(args);
    expect([stdout, exitCode]).toEqual(["", 0]);
    const file = join(directory, "work.md");
    const text = readFileSync(file, "utf8");
    expect(text).toMatch(/^# Fix the login\n/u);
    expect(text).toMatch(/## user\n\nFix the login\n[\s\S]*### read\n\n```\n[\s\S]*1: one/u);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("exports the calls of a session without an agent", async () => {
    const { haft } = await openTalk();
    const exported = (await haft(["sessions", "export", "default"])).json<Json>();
    expect(exported).toMatchObject({ name: "default", entries: [], calls: [{ name: "read" }] });
  });

  it.each([
    [["--format", "pdf"], "json, jsonl, markdown"],
    [["--output", "no/such/place.json"], "--output"],
  ])("refuses %j", async (more, remedy) => {
    const { haft } = await openTalk();
    const { exitCode, stderr } = await haft(["sessions", "export", "work", ...more]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(remedy);
  });
});

describe("haft sessions fork", () => {
  it("makes a session that begins as another, and says how to continue", async () => {
    const { haft } = await openTalk();
    const { stdout } = await haft(["sessions", "fork", "work", "second"]);
    expect(stdout).toContain("haft agent --session second");
    const [first, second] = await Promise.all(
      ["work", "second"].map((name) => haft(["sessions", "show", name, "--json"])),
    );
    expect(second?.json()).toEqual(first?.json());
    expect((await haft(["replay", "second", "--json"])).json()).toMatchObject([{ id: "c1" }]);
  });

  it("finds names by itself and stops where it is told", async () => {
    const { haft, id } = await openTalk();
    const fork = async () =>
      (await haft(["sessions", "fork", "work", "--at", "1", "--json"])).json();
    expect(await fork()).toMatchObject({ name: "work-fork", forked_from: id, entries: 2 });
    expect(await fork()).toMatchObject({ name: "work-fork-2" });
    const listed = (await haft(["sessions", "--json"])).json<Json[]>();
    expect(listed.filter((one) => one.forked_from === id)).toHaveLength(2);
  });

  it.each([
    [["work", "default"], "already"],
    [["work", "../x"], "is not a valid session name"],
    [["work", "x", "--at", "99"], "only 7 entries"],
    [["work", "x", "--at", "0"], "at least 1"],
    [["default", "x"], "no agent messages to fork"],
    [["nobody", "x"], "sessions list --all"],
    [["work", "x", "y"], "y"],
  ])("refuses %j", async (words, reason) => {
    const { haft } = await openTalk();
    const { exitCode, stderr } = await haft(["sessions", "fork", ...words]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
  });
});

describe("haft replay of an agent's session", () => {
  it("tells it again, with the results", async () => {
    const { haft } = await openTalk();
    const { stdout, exitCode } = await haft(["replay", "work"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^user\n {4}Fix the login\n[\s\S]*== c1 read\n1: one\n/u);
    expect((await haft(["replay", "work", "--json"])).json()).toMatchObject([
      { id: "c1", name: "read", result: { data: { content: "1: one" } } },
    ]);
  });

  it("prints its events, one a line", async () => {
    const { haft, id } = await openTalk();
    const { stdout } = await haft(["replay", "work", "--events"]);
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Json);
    expect(events[0]).toMatchObject({ type: "turn-start", session: "work", thread: id });
    expect(events.filter(({ type }) => type === "tool-result")).toMatchObject([
      { id: "c1", result: { type: "output", data: { content: "1: one" } } },
    ]);
    expect(events.at(-1)).toMatchObject({ type: "turn-end", reason: "end", text: "Gladly." });
  });

  it("has no events of a session without an agent", async () => {
    const { haft } = await openTalk();
    const { exitCode, stderr } = await haft(["replay", "default", "--events"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--json");
  });
});
