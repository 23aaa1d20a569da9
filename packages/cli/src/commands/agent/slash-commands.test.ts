import { describe, expect, it } from "vitest";
import { readSlashCommand, runSlashCommand } from "./slash-commands.ts";
import type { SlashContext } from "./slash-context.ts";
import { createScriptedSource } from "./test-support/scripted-agent.ts";

async function run(text: string, changes: Partial<SlashContext["source"]> = {}) {
  const source = { ...createScriptedSource(() => ({})), ...changes };
  const agent = await source.start({ session: "mine" });
  const said: string[] = [];
  const called: string[] = [];
  const usage = { input_tokens: 100, output_tokens: 20, cached_tokens: 60 };
  const command = readSlashCommand(text) ?? { name: "none", rest: "" };
  const effect = await runSlashCommand(command, {
    agent,
    source,
    used: { steps: 3, usage },
    say: (line) => said.push(line),
    call: async (name, args) => {
      called.push(args === undefined ? name : `${name} ${JSON.stringify(args)}`);
      return true;
    },
  });
  return { effect, said, called, agent };
}

describe("readSlashCommand", () => {
  it.each([
    ["/help", { name: "help", rest: "" }],
    ["  /agent  plan  ", { name: "agent", rest: "plan" }],
    ["/home/me/a.txt is broken", undefined],
    ["what is /help?", undefined],
    ["/help\nme", undefined],
    ["/", undefined],
  ])("reads %j", (text, command) => {
    expect(readSlashCommand(text)).toEqual(command);
  });
});

describe("runSlashCommand", () => {
  it("reports every command", async () => {
    const { said } = await run("/help");
    for (const name of [
      "agent",
      "plan",
      "build",
      "model",
      "new",
      "sessions",
      "skills",
      "undo",
      "rewind",
      "usage",
      "exit",
    ]) {
      expect(said.some((line) => line.startsWith(`  /${name}`))).toBe(true);
    }
  });

  it("goes back to before a turn", async () => {
    expect((await run("/rewind")).said).toEqual([
      "  1  00:00 First",
      "  2  00:00 Second",
      expect.stringContaining("/rewind NUMBER files"),
    ]);
    const files = await run("/rewind 2 files");
    expect([files.called, files.effect]).toEqual([['undo_edit {"to":"call-2500"}'], "stay"]);
    const both = await run("/rewind 1 both");
    expect(both.called).toEqual(['undo_edit {"to":"call-1500"}']);
    expect(both.effect).toEqual({ session: "mine-0" });
    expect((await run("/rewind 2 conversation")).effect).toEqual({ session: "mine-2" });
    expect((await run("/rewind 9 both")).effect).toBe("stay");
  });

  it("lists agents, and has another one act", async () => {
    expect((await run("/agent")).said).toEqual(["* build: It is build.", "  plan: It is plan."]);
    expect((await run("/plan")).said).toEqual(["The agent is now plan."]);
    expect((await run("/agent plan")).agent.manifest.name).toBe("plan");
    expect((await run("/build")).agent.manifest.name).toBe("build");
    expect((await run("/agent none")).said).toEqual(["There is no agent none."]);
  });

  it("shows the model, the usage, the skills", async () => {
    expect((await run("/model")).said).toEqual(["scripted/model, as build"]);
    expect((await run("/usage")).said).toEqual([
      "3 steps · 120 tokens · 100 in (60 of them cached), 20 out",
    ]);
    expect((await run("/skills")).said).toEqual(["release: How to release."]);
    expect((await run("/skills", { listSkills: () => [] })).said[0]).toContain("No skills found");
  });

  it("lists the sessions that a person began", async () => {
    const facts = { workspace: "/workspace", createdAt: 0, updatedAt: 0, entries: 1, calls: 0 };
    const threads = {
      list: () => [
        { ...facts, id: "w/mine", name: "mine", title: "A title" },
        { ...facts, id: "w/mine.finder-abc", name: "mine.finder-abc", parent: "w/mine" },
        { ...facts, id: "w/fork", name: "fork", parent: "w/mine" },
      ],
    };
    expect((await run("/sessions", { threads })).said).toEqual([
      "* mine 1970-01-01 00:00 A title",
      "  fork 1970-01-01 00:00",
      "To continue one: haft agent --session NAME",
    ]);
    expect((await run("/sessions")).said).toEqual(["No sessions yet."]);
  });

  it("undoes, renews and leaves", async () => {
    expect(await run("/undo")).toMatchObject({ effect: "stay", called: ["undo_edit"] });
    expect((await run("/new")).effect).toBe("new");
    expect((await run("/exit")).effect).toBe("leave");
    expect((await run("/quit")).effect).toBe("leave");
  });

  it("tells what it does not know", async () => {
    const { effect, said } = await run("/constructor");
    expect(effect).toBe("stay");
    expect(said).toEqual(["There is no command /constructor. /help lists the commands."]);
  });
});
