import type { AgentEvent } from "@haft/agent";
import { describe, expect, it } from "vitest";
import type { Io } from "../../io.ts";
import { createStyle } from "../../terminal/style.ts";
import { createEventPrinter } from "./event-printer.ts";
import { createScreen } from "./screen.ts";
import { toResult } from "./test-support/scripted-agent.ts";
import { createTestIo } from "./test-support/test-io.ts";

const usage = { input_tokens: 1, output_tokens: 1, cached_tokens: 0 };

function print(events: readonly AgentEvent[], changes: Partial<Io> = {}) {
  const io = createTestIo(changes);
  const listener = createEventPrinter(createScreen(io), createStyle(io));
  for (const event of events) listener(event);
  return io.shown;
}

function call(id: string, name: string, args: Record<string, string>): AgentEvent {
  return { type: "tool-call", id, name, tool: name, arguments: args };
}

function result(id: string, name: string, data: unknown): AgentEvent {
  return { type: "tool-result", id, name, result: toResult(data) };
}

describe("the status beside an answer", () => {
  it("has the context of the last request, what was cached, and the cost with subagents", () => {
    const io = createTestIo();
    const statuses: (string | undefined)[] = [];
    const screen = { ...createScreen(io), status: (text?: string) => statuses.push(text) };
    const listener = createEventPrinter(screen, createStyle(io));
    const step = { type: "step-start", step: 1, tools: 2 } as const;
    const stepEnd = (input: number, cached: number, cost?: number): AgentEvent => ({
      type: "step-end",
      step: 1,
      finish_reason: "stop",
      usage: {
        input_tokens: input,
        output_tokens: 10,
        cached_tokens: cached,
        ...(cost !== undefined && { cost }),
      },
    });
    listener(step);
    listener(stepEnd(900, 0));
    listener(step);
    listener(stepEnd(12_340, 9_255, 0.02));
    const below = { call: "1", agent: "finder", thread: "t" };
    listener({ type: "subagent", ...below, event: stepEnd(50_000, 0, 0.01) });
    listener({ type: "reasoning", text: "hm" });
    listener({ type: "turn-end", reason: "end", text: "", steps: 2, usage });
    expect(statuses).toEqual([
      "waiting for the model",
      "waiting for the model · context 900 tokens · 0% cached",
      "thinking · context 12.3k tokens · 75% cached · cost 0.0300",
      undefined,
    ]);
  });
});

describe("createEventPrinter", () => {
  it("puts the answer on standard output and all else on standard error", () => {
    const shown = print([
      { type: "turn-start", session: "s", thread: "t", agent: "build", model: "m" },
      { type: "step-start", step: 1, tools: 2 },
      { type: "reasoning", text: "hm" },
      { type: "text", text: "Let me " },
      { type: "text", text: "look." },
      call("1", "bash", { command: "ls" }),
      { type: "tool-progress", id: "1", progress: { message: "a" } },
      { type: "tool-state", id: "1", state: "done" },
      { type: "step-end", step: 1, finish_reason: "tool-calls", usage },
      result("1", "bash", { output: "a\nb\n", exit_code: 0 }),
      { type: "text", text: "Done." },
      { type: "turn-end", reason: "end", text: "Done.", steps: 2, usage },
    ]);
    expect(shown).toEqual({ out: "Let me look.\nDone.\n", error: "• bash ls\n  a\n  b\n" });
  });

  it("says whose a result is, unless it follows its call", () => {
    const { error } = print([
      call("1", "read", { path: "a" }),
      call("2", "read", { path: "b" }),
      result("2", "read", { message: "two" }),
      result("1", "read", { message: "one" }),
      result("unknown", "lost", { message: "three" }),
    ]);
    expect(error).toBe("• read a\n• read b\n  two\n↳ read a\n  one\n↳ lost\n  three\n");
  });

  it("shows remarks, retries, notices, other agents, summaries and warnings", () => {
    const shown = print([
      { type: "text", text: "half" },
      { type: "retry", attempt: 1, delay_ms: 1_500, reason: "reset\u001b" },
      { ...result("1", "edit", { message: "ok" }), remarks: ["a.ts:1 wrong"] } as AgentEvent,
      { type: "notice", text: "task 1 ended\nwith this" },
      { type: "agent", agent: "build", model: "m" },
      { type: "compaction", entries: 12, summary: "s" },
      { type: "warning", message: "careful" },
      {
        type: "turn-end",
        reason: "max-steps",
        text: "",
        steps: 9,
        usage,
        error: "Too many steps.",
      },
    ]);
    expect(shown.out).toBe("half\n");
    expect(shown.error.split("\n")).toEqual([
      "Retrying the model request in 2 s: reset\\u{1b}",
      "↳ edit",
      "  ok",
      "  a.ts:1 wrong",
      "task 1 ended",
      "with this",
      "build continues (m).",
      "Earlier messages (12 entries) were summarized.",
      "haft: careful",
      "haft: Too many steps.",
      "",
    ]);
  });

  it("sets off what subagents do with their names, in short", () => {
    const inside = (thread: string, agent: string, event: AgentEvent): AgentEvent => ({
      type: "subagent",
      call: "1",
      agent,
      thread,
      event,
    });
    const shown = print([
      call("1", "task", { subagent_type: "finder", prompt: "where" }),
      inside("t", "finder", { type: "text", text: "I look" }),
      inside("t", "finder", call("1", "grep", { pattern: "x" })),
      inside("t", "finder", result("1", "grep", { matches: [] })),
      inside("t", "finder", inside("u", "oracle", call("9", "read", { path: "a" }))),
      inside("t", "finder", inside("u", "oracle", result("9", "read", { message: "it\nis" }))),
      inside("t", "finder", { type: "retry", attempt: 1, delay_ms: 1, reason: "lost" }),
      inside("t", "finder", { type: "warning", message: "odd" }),
      inside("t", "finder", {
        type: "turn-end",
        reason: "error",
        text: "",
        steps: 1,
        usage,
        error: "no",
      }),
      result("1", "task", { output: "found", message: "found" }),
    ]);
    expect(shown.out).toBe("");
    expect(shown.error.split("\n")).toEqual([
      "• task finder: where",
      "  • finder grep x",
      "    0 matches",
      "    • oracle read a",
      "      it",
      "  finder retrying: lost",
      "  finder odd",
      "  finder no",
      "↳ task finder: where",
      "  found",
      "",
    ]);
  });

  const refused = (id: string): AgentEvent => ({
    type: "tool-result",
    id,
    name: "bash",
    result: {
      type: "error",
      error_text: "No.",
      metadata: { duration_ms: 1, error_code: "headless" },
    },
  });

  it("suggests no rule for a question that could not be asked", () => {
    const { error } = print([call("1", "question", {}), refused("1")]);
    expect(error).toContain("No. [headless]\n");
    expect(error).not.toContain("--yes");
  });

  it("explains once how to allow calls that could not be approved", () => {
    const { error } = print([
      call("1", "bash", {}),
      refused("1"),
      call("2", "bash", {}),
      refused("2"),
    ]);
    expect(error).toBe(
      "• bash\n  No. [headless]\nhaft: to allow such calls, add --yes or --rule 'PERMISSION PATTERN allow'\n• bash\n  No. [headless]\n",
    );
  });

  it("shows tasks only when they changed", () => {
    const todos = { todos: [{ content: "x", status: "pending" }], summary: {} };
    const { error } = print([
      call("1", "todo", {}),
      result("1", "todo", todos),
      call("2", "todo", {}),
      result("2", "todo", todos),
    ]);
    expect(error).toBe("• todo\n  [ ] x\n• todo\n");
  });

  it("lets no escape sequence of a model or tool through to a terminal", () => {
    const events: AgentEvent[] = [
      { type: "text", text: "a\u001b" },
      { type: "text", text: "[2Jb\r" },
      { type: "text", text: "\n" },
      call("1\u001b", "na\u001bme", { command: "x\u001b[1m" }),
      result("1\u001b", "na\u001bme", { output: "o\u001b[2J", exit_code: 0 }),
      { type: "notice", text: "n\u001b" },
      { type: "warning", message: "w\u001b" },
      {
        type: "subagent",
        call: "1",
        agent: "a\u001b",
        thread: "t",
        event: { type: "warning", message: "\u001b" },
      },
      { type: "turn-end", reason: "error", text: "", steps: 1, usage, error: "e\u001b" },
    ];
    const shown = print(events, { outputIsTerminal: true });
    expect(shown.out).toBe("a\\u{1b}[2Jb\n");
    expect(shown.error).not.toContain("\u001b");
    expect(print(events).out).toBe("a\u001b[2Jb\r\n");
  });
});

describe("the status beside what is printed", () => {
  it("tells what runs, and what it says of itself", () => {
    const statuses: (string | undefined)[] = [];
    const io = createTestIo();
    const screen = { ...createScreen(io), status: (text?: string) => statuses.push(text) };
    const listener = createEventPrinter(screen, createStyle(io));
    const events: AgentEvent[] = [
      { type: "step-start", step: 1, tools: 1 },
      { type: "reasoning", text: "hm" },
      call("1", "read", { path: "a" }),
      call("2", "bash", { command: "make" }),
      { type: "tool-progress", id: "2", progress: { message: "cc a.c", done: 1, total: 3 } },
      { type: "tool-progress", id: "2", progress: { done: 2 } },
      result("2", "bash", { message: "made" }),
      result("1", "read", { message: "read" }),
      { type: "turn-end", reason: "end", text: "", steps: 1, usage },
    ];
    for (const event of events) listener(event);
    expect(statuses).toEqual([
      "waiting for the model",
      "thinking",
      "read a",
      "bash make and 1 more",
      "bash and 1 more 1/3: cc a.c",
      "bash and 1 more 2",
      "read a",
      "waiting for the model",
      undefined,
    ]);
  });
});
