import { defineTool, type Tool } from "@haft/contract";
import type { CellData } from "./cell.ts";
import { createCells } from "./cells.ts";
import { programLimits } from "./program-limits.ts";
import type { RunCodeArguments, RunCodeContext, RunCodeData } from "./run-code.ts";

const maxTimeoutMs = 60 * 60 * 1000;
const maxCodeLength = 256 * 1024;
const maxShownBytes = 200 * 1024;

/** Creates the tool that runs programs, which call the session's other tools. */
export function createRunCodeTool(
  context: RunCodeContext,
): Tool<RunCodeArguments, RunCodeData | CellData> {
  const { cells = createCells() } = context;
  return defineTool({
    id: "run_code",
    description: [
      "Runs a TypeScript program that calls your tools, and returns only what it prints or returns.",
      "Use it for many calls, for loops over results, and to fold long results into a short answer.",
      "`await tools.NAME({...})` calls a tool with the same arguments and permissions as a direct call and returns its data; a failed call throws an error with `code` and `message`. Use Promise.all to run calls side by side.",
      'In NAME, characters that no identifier has are `_`. `await tools.$search("words")` finds tools; `await tools.$describe("NAME")` returns a signature.',
      "Top-level await and return work. print() and console.log() write output. store(key, value) and load(key) keep JSON values for later programs of this session.",
      "There are no files, network, modules or environment except through tools.",
      `At most ${programLimits.calls} calls.`,
      "What it changes is undone as one call with `undo_edit`.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        code: {
          type: "string",
          minLength: 1,
          maxLength: maxCodeLength,
          description: "The program in TypeScript: the body of an async function.",
        },
        timeout_ms: {
          type: "integer",
          minimum: 1,
          maximum: maxTimeoutMs,
          description: `Time limit in milliseconds, without the time that a person takes to answer. Default: ${programLimits.timeoutMs}.`,
        },
      },
      required: ["code"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        output: {
          type: "string",
          description: "What the program printed, and the text that it returned.",
        },
        result: { description: "What it returned, if that is not a text." },
        message: { type: "string" },
        notes: { type: "array", items: { type: "string" } },
      },
      additionalProperties: false,
    },
    requires: {},
    kind: "execute",
    source: "builtin",
    isolation: "sandbox",
    timeoutMs: "none",
    maxOutput: { bytes: maxShownBytes, field: "output" },
    // Its calls say themselves what they touch.
    execution: { resourceKeys: () => [] },
    prepare: (args) =>
      typeof args.code === "string" ? { ...args, code: withoutFence(args.code) } : args,
    // Loaded on first use: most sessions run no program.
    execute: async (args, runtime) => {
      // The dialect `codex` offers the tool with other globals, and lets programs go on.
      if (runtime.settings.cells === true) {
        return (await import("./run-cell.ts")).runCell(args.code, runtime, { ...context, cells });
      }
      return (await import("./run-code.ts")).runCode(args, runtime, context);
    },
  });
}

// Models often put code into a fence.
function withoutFence(code: string): string {
  return (
    /^\s*```(?:ts|typescript|js|javascript)?\n(?<code>[\s\S]*?)\n?```\s*$/u.exec(code)?.groups
      ?.code ?? code
  );
}
