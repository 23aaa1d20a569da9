import type { ToolResult } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { createStyle } from "../../terminal/style.ts";
import { showBriefly, showResult } from "./show-result.ts";
import { toResult } from "./test-support/scripted-agent.ts";
import { createTestIo } from "./test-support/test-io.ts";

const plain = createStyle(createTestIo());
const show = (data: unknown): string[] => showResult(toResult(data), plain);

const failure: ToolResult = {
  type: "error",
  error_text: "It is not there.\nLook again.\u001b[0m",
  metadata: { duration_ms: 1, error_code: "not-found" },
};

describe("showResult", () => {
  it("shows diffs of edits, of patches and of what was undone", () => {
    expect(show({ path: "/a", diff: "-a\n+b\n", replacements: 1 })).toEqual(["-a", "+b"]);
    expect(show({ files: [{ diff: "+a\n" }, { diff: "+b\n" }], message: "m" })).toEqual([
      "+a",
      "+b",
    ]);
    expect(show({ undone: [{ diff: "-c\n" }], message: "m" })).toEqual(["-c"]);
  });

  it("shows the end of what a command printed, and how it ended", () => {
    const output = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join("");
    const lines = show({ output, exit_code: 2 });
    expect(lines).toHaveLength(14);
    expect(lines[0]).toBe("… 18 lines before");
    expect(lines.slice(-2)).toEqual(["line 29", "exit code 2"]);
    expect(show({ output: "", exit_code: 0 })).toEqual(["no output"]);
    expect(show({ output: "", job_id: "j1", state: "running" })).toEqual(["job j1: running"]);
  });

  it.each([
    [
      {
        matches: [
          { path: "a", line: 1 },
          { path: "a", line: 2 },
        ],
      },
      "2 matches in 1 file",
    ],
    [{ matches: [] }, "0 matches"],
    [{ matches: [{ name: "tool" }], message: "m" }, "1 match"],
    [{ files: ["a", "b"], remaining: 3 }, "2 files and 3 more"],
    [{ files: ["a"], remaining: 0 }, "1 file"],
    [{ results: [{ url: "u" }] }, "1 result"],
    [{ type: "file", content: "1: a", start_line: 1, end_line: 1, total_lines: 9 }, "1 line of 9"],
    [{ type: "file", content: "1: a", start_line: 3, end_line: 7 }, "5 lines"],
    [{ type: "directory", content: "a\nb\n" }, "2 entries"],
  ])("counts what %j found", (data, line) => {
    expect(show(data)).toEqual([line]);
  });

  it("shows the start of other texts", () => {
    expect(show({ path: "/a", message: "Wrote it." })).toEqual(["Wrote it."]);
    expect(show("a\nb\nc\nd\ne\nf\ng\nh")).toEqual([
      "a",
      "b",
      "c",
      "d",
      "e",
      "f",
      "… 2 more lines",
    ]);
    expect(show({ content: [{ type: "text", text: "from\u001b afar" }] })).toEqual([
      "from\\u{1b} afar",
    ]);
    expect(show({ answers: [["a", "b"], ["c"]] })).toEqual(["a, b", "c"]);
    expect(show({ agent: "finder", thread: "t", text: "found", steps: 2 })).toEqual(["found"]);
    expect(show("")).toEqual([]);
    expect(show(null)).toEqual(["null"]);
  });

  it("shows tasks with how far they are", () => {
    const statuses = ["completed", "in_progress", "cancelled", "pending"];
    const todos = statuses.map((status) => ({ content: `do ${status}`, status }));
    expect(show({ todos, summary: {} })).toEqual([
      "[x] do completed",
      "[>] do in_progress",
      "[-] do cancelled",
      "[ ] do pending",
    ]);
    expect(show({ todos: [], summary: {} })).toEqual(["no tasks"]);
    expect(show({ todos: Array(40).fill(todos[0]) }).at(-1)).toBe("… 10 more tasks");
  });

  it("shows errors in red with their code", () => {
    const style = createStyle(createTestIo({ errorIsTerminal: true }));
    expect(showResult(failure, style)).toEqual([
      "\u001b[31mIt is not there.\u001b[39m",
      "\u001b[31mLook again.\\u{1b}[0m [not-found]\u001b[39m",
    ]);
  });

  it("reports cuts, notes and warnings", () => {
    const metadata: ToolResult["metadata"] = {
      duration_ms: 1,
      truncated: true,
      output_path: "/o",
      notes: ["n"],
      warnings: ["w\n"],
    };
    const result: ToolResult = { type: "output", data: "x", metadata };
    expect(showResult(result, plain)).toEqual([
      "x",
      "the output was truncated; more is in /o",
      "n",
      "w",
    ]);
  });
});

describe("showBriefly", () => {
  it("is one line", () => {
    expect(showBriefly(failure, plain)).toBe("It is not there. Look again.\\u{1b}[0m [not-found]");
    expect(showBriefly(toResult({ diff: "-a\n+b\n+c\n" }), plain)).toBe("+2 -1");
    expect(showBriefly(toResult({ matches: [] }), plain)).toBe("0 matches");
    expect(showBriefly(toResult(""), plain)).toBe("done");
  });
});
