import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runInTerminal, type TerminalRun } from "./test-support/run-in-terminal.ts";

const enter = "\r";
const interrupt = "\u0003";

function createState(): string {
  const state = mkdtempSync(join(tmpdir(), "haft-talk-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  return state;
}

async function startTalk(environment: Record<string, string> = {}): Promise<TerminalRun> {
  const run = runInTerminal({ HAFT_HOME: createState(), ...environment });
  await run.see("build> ");
  return run;
}

describe("haft agent in a terminal", () => {
  it("talks, asks for a word, stops a turn on Ctrl-C and continues, until it is left", async () => {
    const { type, see, screen, ended } = await startTalk();
    expect(screen()).toContain("build with scripted/model · session s1 · /help");
    type(`hello${enter}`);
    await see('You said "hello".\\u{1b}[2J');
    await see("1 step · 15 tokens · cost 0.2500");
    await see("build> ");
    type(`ask${enter}`);
    await see("bash wants to run (no rule allows it)");
    await see("Run it? [y/s/p/e/n] ");
    type("y");
    await see("made: once");
    await see("build> ");
    type(`hang${enter}`);
    await see("Working on it");
    type(interrupt);
    await see("Stopped.");
    await see("build> ");
    type(`still there?${enter}`);
    await see('You said "still there?"');
    await see("build> ");
    type(`/exit${enter}`);
    await see("To continue: haft agent --session s1");
    expect(await ended).toBe(0);
  });

  it("ends the turn on Ctrl-C at a question", async () => {
    const { type, see, ended } = await startTalk();
    type(`ask${enter}`);
    await see("Run it? ");
    type(interrupt);
    await see("Stopped.");
    await see("build> ");
    type("\u0004");
    expect(await ended).toBe(0);
  });

  it("leaves on the second Ctrl-C on an empty line, after the first emptied it", async () => {
    const { type, see, ended } = await startTalk();
    type("never mind");
    await see("never mind");
    type(interrupt);
    await see("build> ");
    type(interrupt);
    await see("Ctrl-C again, Ctrl-D or /exit leaves.");
    await see("build> ");
    type(interrupt);
    expect(await ended).toBe(0);
  });

  it("joins pasted lines and lines that end in a backslash", async () => {
    const { type, see } = await startTalk();
    type(`one\\${enter}two${enter}`);
    await see('You said "one\\ntwo"');
    await see("build> ");
    type("see \u001b[200~a\nb\u001b[31m\nc\u001b[201~!");
    await see("see [pasted 1: 3 lines]!");
    type(enter);
    await see('You said "see a\\nb\\u001b[31m\\nc!"');
  });

  it("keeps what is typed during a turn for the next prompt, not for a question", async () => {
    const { type, see } = await startTalk();
    type(`ask${enter}y${enter}`);
    await see("Run it? ");
    type("n");
    await see("made: reject");
    await see('You said "y"');
  });

  it("remembers what was said, for its owner only", async () => {
    const state = createState();
    const first = await startTalk({ HAFT_HOME: state });
    first.type(`remember me${enter}`);
    await first.see("build> ");
    first.type(`/exit${enter}`);
    await first.ended;
    const [file = ""] = readdirSync(join(state, "history"));
    const path = join(state, "history", file);
    expect(readFileSync(path, "utf8")).toBe('"remember me"\n"/exit"\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const second = await startTalk({ HAFT_HOME: state });
    second.type("\u001b[A");
    await second.see("/exit");
    second.type("\u001b[A");
    await second.see("remember me");
    second.type(enter);
    await second.see('You said "remember me"');
  });

  it("sends a terminal that shows only text nothing else", async () => {
    const { type, see, screen, ended } = await startTalk({ TERM: "dumb" });
    type("hello\n");
    await see('You said "hello"');
    await see("build> ");
    type("hang\n");
    await see("Working on it");
    type(interrupt);
    await see("Stopped.");
    await see("build> ");
    type("/exit\n");
    expect(await ended).toBe(0);
    expect(screen()).not.toContain("\u001b");
  });

  it("answers one prompt with a line on how to continue", async () => {
    const environment = { HAFT_HOME: createState(), TALK_PROMPT: "hi" };
    const { see, ended } = runInTerminal(environment);
    await see('You said "hi".\\u{1b}[2J');
    await see('s1 · 1 step · 15 tokens · cost 0.2500 · haft agent --session s1 "…"');
    expect(await ended).toBe(0);
  });

  it("ends one prompt on Ctrl-C with 130", async () => {
    const environment = { HAFT_HOME: createState(), TALK_PROMPT: "hang" };
    const { type, see, ended } = runInTerminal(environment);
    await see("Working on it");
    type(interrupt);
    expect(await ended).toBe(130);
  });
});
