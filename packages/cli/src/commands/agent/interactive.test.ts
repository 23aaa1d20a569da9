import { describe, expect, it } from "vitest";
import { createStyle } from "../../terminal/style.ts";
import { createTypedCallsHost } from "./create-agent-command.ts";
import { runInteractive } from "./interactive.ts";
import type { LineEditor, Typed } from "./line-editor.ts";
import { createScreen } from "./screen.ts";
import {
  createScriptedSource,
  type Script,
  type ScriptedSource,
} from "./test-support/scripted-agent.ts";
import { createTestIo } from "./test-support/test-io.ts";

interface Situation {
  readonly script?: Script;
  readonly renew?: () => ReturnType<ScriptedSource["start"]>;
  readonly signal?: AbortSignal;
}

async function talk(typed: readonly (string | Typed)[], situation: Situation = {}) {
  const { script = () => ({}), signal = new AbortController().signal } = situation;
  const io = createTestIo({ signal });
  const typedCalls = new Set<string>();
  const source = createScriptedSource(script);
  const host = createTypedCallsHost(source.host, typedCalls);
  const keys = createEditor(typed);
  const renew = situation.renew ?? ((agent: string) => source.start({ host, agent }));
  const exitCode = await runInteractive(await source.start({ session: "first", host }), {
    source,
    screen: createScreen(io),
    style: createStyle(io),
    editor: keys.editor,
    typedCalls,
    renew,
    goOn: (session) => `haft agent --session ${session}`,
  });
  return {
    exitCode,
    shown: io.shown,
    log: source.log.filter((line) => !line.startsWith("start")),
    keys,
  };
}

function createEditor(typed: readonly (string | Typed)[]) {
  const lines = [...typed];
  const prompts: string[] = [];
  let listener: (() => void) | undefined;
  const editor: LineEditor = {
    read: async (prompt) => {
      prompts.push(prompt);
      const next = lines.shift() ?? { type: "end" };
      return typeof next === "string" ? { type: "text", text: next } : next;
    },
    ask: async () => undefined,
    onInterrupt: (next) => {
      listener = next;
      pressed = listener;
    },
    interrupt: () => listener?.(),
    close: () => {},
  };
  return { editor, prompts };
}

// The listener of the turn that runs: a script presses Ctrl-C by it.
let pressed: (() => void) | undefined;

const empty: Typed = { type: "interrupted", wasEmpty: true };

describe("runInteractive", () => {
  it("answers each text, and says how to continue", async () => {
    const script: Script = ({ text, emit }) => {
      emit({ type: "text", text: `I heard ${text}` });
      return {};
    };
    const { exitCode, shown, log } = await talk(["one", "   ", "two"], { script });
    expect(exitCode).toBe(0);
    expect(shown.out).toBe("I heard one\nI heard two\n");
    expect(shown.error).toMatch(/^build with scripted\/model · session first · \/help\n/u);
    expect(shown.error).toMatch(/To continue: haft agent --session first\n$/u);
    expect(log).toEqual(["prompt one", "prompt two", "close first"]);
  });

  it("says nothing about continuing an empty session", async () => {
    expect((await talk([])).shown.error).not.toContain("To go on");
  });

  it("stops a turn on Ctrl-C and continues", async () => {
    const script: Script = ({ signal }) => {
      pressed?.();
      return signal.aborted ? { reason: "aborted" } : {};
    };
    const { shown, log } = await talk(["one", "two"], { script });
    expect(shown.error.match(/Stopping…\nStopped\. 1 step/gu)).toHaveLength(2);
    expect(log).toContain("prompt two");
  });

  it("exits on the third Ctrl-C if a turn does not stop", async () => {
    const script: Script = () => {
      for (let times = 0; times < 3; times++) pressed?.();
      return new Promise(() => {});
    };
    const { shown, log } = await talk(["one", "two"], { script });
    expect(shown.error).toContain("Stopping. Press Ctrl-C again to exit at once.");
    expect(log).toEqual(["prompt one", "close first"]);
  });

  it("exits on Ctrl-C twice in a row, only on an empty line", async () => {
    const full: Typed = { type: "interrupted", wasEmpty: false };
    expect((await talk([empty, empty, "never"])).log).toEqual(["close first"]);
    expect((await talk([empty, full, empty, "said"])).log).toContain("prompt said");
    expect((await talk([empty, "", empty, "said"])).log).toContain("prompt said");
  });

  it("exits when the program is stopped", async () => {
    const controller = new AbortController();
    const script: Script = ({ signal }) => {
      controller.abort();
      return { reason: signal.aborted ? "aborted" : "end" };
    };
    const { log, shown } = await talk(["one", "two"], { script, signal: controller.signal });
    expect(log).toEqual(["prompt one", "close first"]);
    expect(shown.error).toContain("Stopped.");
  });

  it("begins a new session, and shows who acts in the prompt", async () => {
    const { log, keys } = await talk(["one", "/plan", "/new", "two"]);
    expect(log).toEqual(["prompt one", "close first", "prompt two", "close s1"]);
    expect(keys.prompts).toEqual(["build> ", "build> ", "plan> ", "plan> ", "plan> "]);
  });

  it("stays where no new session can be begun", async () => {
    const renew = () => Promise.reject(new TypeError("No model is chosen.\u001b"));
    const { log, shown } = await talk(["/new", "one"], { renew });
    expect(shown.error).toContain("No model is chosen.\\u{1b}\n");
    expect(log).toEqual(["prompt one", "close first"]);
  });

  it("undoes a change without asking for approval", async () => {
    const { log, shown } = await talk(["/undo"]);
    expect(log).toContain("call undo_edit");
    expect(shown.error).toContain("• undo_edit\n  Undone (once).\n");
  });

  it("counts what was used", async () => {
    const { shown } = await talk(["one", "two", "/usage"]);
    expect(shown.error).toContain(
      "2 steps · 30 tokens · cost 0.5000 · 20 in (4 of them cached), 10 out",
    );
  });
});
