import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRunning } from "./support/is-running.ts";
import { call, calls, say } from "./support/model-server.ts";
import { endOf, eventsOf, openPlace, readEvents } from "./support/open-place.ts";

describe("a process that is killed in the middle of a turn", () => {
  it("leaves a session that continues: what was under way is an error, and is not done again", async () => {
    const seconds = `3000.${process.pid}2`;
    const { startAgent, agent, haft, model, workspace } = await openPlace([
      calls([
        { id: "quick", name: "bash", arguments: { command: "echo ran >> quick.txt" } },
        {
          id: "slow",
          name: "bash",
          arguments: { command: `echo ran >> slow.txt; exec sleep ${seconds}` },
        },
      ]),
      say("I see what happened."),
    ]);
    const run = startAgent(["--yes", "--session", "s", "run both"]);
    await expect.poll(() => isRunning(seconds)).toBe(true);
    await expect.poll(() => run.stdout()).toMatch(/"tool-result","id":"quick"/u);
    run.child.kill("SIGKILL");
    await run.ended;
    await expect.poll(() => isRunning(seconds)).toBe(false);

    const { code, events } = await agent(["--yes", "--session", "s", "what happened?"]);
    expect(code).toBe(0);
    expect(endOf(events).text).toBe("I see what happened.");
    expect(eventsOf(events, "tool-call")).toEqual([]);
    const results = model.requests[1]?.messages.flatMap((message) => message.results ?? []);
    expect(results?.map(({ callId }) => callId)).toEqual(["quick", "slow"]);
    expect(results?.[0]?.text).not.toContain("process ended");
    expect(results?.[1]?.text).toContain("process ended while this call was running");
    expect(readFileSync(join(workspace, "quick.txt"), "utf8")).toBe("ran\n");
    // Its layer was not applied any more.
    expect(existsSync(join(workspace, "slow.txt"))).toBe(false);
    const shown = await haft(["sessions", "show", "s"]);
    expect(shown.code).toBe(0);
    expect(shown.stdout).toMatch(/interrupted/u);
  });

  it("leaves a session that continues though the model was in the middle of a word", async () => {
    const { startAgent, agent, model } = await openPlace([
      { text: ["I was ", "about to"], hangAfter: 3 },
      say("Back."),
    ]);
    const run = startAgent(["--session", "s", "begin"]);
    await expect.poll(() => run.stdout()).toContain("I was");
    run.child.kill("SIGKILL");
    await run.ended;
    const { code } = await agent(["--session", "s", "go on"]);
    expect(code).toBe(0);
    const said = model.requests[1]?.messages.map(({ text }) => text).join("\n");
    expect(said).toContain("begin");
    expect(said).toContain("go on");
  });
});

describe("a session that is in use", () => {
  it("refuses a second agent, and says what to do", async () => {
    const { startAgent, agent, model } = await openPlace([{ hang: true }, say("Free.")]);
    const run = startAgent(["--session", "s", "one"]);
    await expect.poll(() => model.requestCount).toBe(1);
    const second = await agent(["--session", "s", "two"]);
    expect(second.code).not.toBe(0);
    expect(second.stderr).toContain('Session "s" is in use');
    expect(model.requestCount).toBe(1);
    run.child.kill("SIGINT");
    await run.ended;
    expect((await agent(["--session", "s", "three"])).code).toBe(0);
  });
});

describe("threads", () => {
  it("are found and read by the model of another session", async () => {
    let thread = "";
    const { agent, model } = await openPlace(({ lastText }, index) => {
      if (index === 0) return say("The password of the door is xyzzy.");
      if (index === 1) return call("find_thread", { query: "password door" });
      if (index === 3) return say("It is xyzzy.");
      thread = /[\w.-]+\/first/u.exec(lastText)?.[0] ?? "";
      return call("read_thread", { thread });
    });
    await agent(["--session", "first", "What is the password of the door?"]);
    const { code, events } = await agent(["--session", "second", "What was it?"]);
    expect(code).toBe(0);
    expect(endOf(events).text).toBe("It is xyzzy.");
    expect(thread).not.toBe("");
    expect(model.requests[2]?.lastText).toContain("password");
    expect(model.requests[3]?.lastText).toContain("xyzzy");
  });

  it("are searched, exported, forked and replayed from the shell", async () => {
    const { agent, haft, model, workspace } = await openPlace([
      call("bash", { command: "echo ran >> log.txt; cat log.txt" }),
      say("It ran once."),
      say("In the fork."),
      say("In the old one."),
    ]);
    const live = await agent(["--yes", "--session", "old", "run the zeppelin"]);
    expect(live.code).toBe(0);

    expect((await haft(["sessions", "search", "zeppelin"])).stdout).toContain("old");
    const exported = JSON.parse((await haft(["sessions", "export", "old"])).stdout);
    expect(exported.entries.map(({ kind }: { kind: string }) => kind)).toEqual([
      "user",
      "assistant",
      "result",
      "assistant",
      "turn-end",
    ]);

    expect((await haft(["sessions", "fork", "old", "new"])).code).toBe(0);
    await agent(["--session", "new", "and here?"]);
    await agent(["--session", "old", "and there?"]);
    const [, , inFork, inOld] = model.requests;
    expect(inFork?.messages[0]?.text).toBe("run the zeppelin");
    expect(inFork?.lastText).toBe("and here?");
    expect(JSON.stringify(inOld?.messages)).not.toContain("and here?");

    const asked = model.requestCount;
    const replayed = await haft(["replay", "old"]);
    expect(replayed.code).toBe(0);
    expect(replayed.stdout).toContain("It ran once.");
    const again = readEvents((await haft(["replay", "old", "--events"])).stdout);
    const typesOf = (events: typeof again): string[] =>
      events
        .filter(({ type }) => ["tool-call", "tool-result", "turn-end"].includes(type))
        .map(({ type }) => type);
    expect(typesOf(again).slice(0, 3)).toEqual(typesOf(live.events));
    expect(model.requestCount).toBe(asked);
    expect(readFileSync(join(workspace, "log.txt"), "utf8")).toBe("ran\n");
  });
});
