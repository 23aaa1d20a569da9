import type { ToolResult } from "@haft/contract";
import { describe, expect, it } from "vitest";
import { programLimits } from "./program-limits.ts";
import type { BlankProcess, ProcessListener } from "./program-pool.ts";

import { type EndedProgram, type ProgramContext, runProgram } from "./run-program.ts";

interface Scripted {
  /** What the process writes when it is given the program. */
  readonly says?: (write: (text: string) => void, listener: ProcessListener) => void;
  /** Whether it takes what it is written. */
  readonly reads?: boolean;
  readonly call?: () => Promise<ToolResult>;
  readonly timeoutMs?: number;
}

const tools: ProgramContext["tools"] = {
  names: ["read"],
  resolve: (name) => name,
  search: () => [],
  describe: () => "",
  find: () => undefined,
  propertyOf: () => undefined,
  near: () => [],
  isKnownElsewhere: async () => false,
};

const done: ToolResult = { type: "output", data: 1, metadata: { duration_ms: 0 } };

/** Runs a program in a process that says anything. */
async function run({
  says,
  reads = true,
  call,
  timeoutMs = 60_000,
}: Scripted): Promise<
  EndedProgram & { readonly calls: number; readonly stopped: boolean; readonly written: string[] }
> {
  let listener: ProcessListener | undefined;
  let stopped = false;
  const written: string[] = [];
  const process: BlankProcess = {
    listen: (given) => {
      listener = given;
    },
    write: async (line) => {
      written.push(line);
      if (written.length === 1) {
        const to = listener as ProcessListener;
        says?.((text) => to.onOutput(text), to);
      }
      if (!reads) await new Promise<void>(() => {});
    },
    stop: async () => {
      stopped = true;
    },
  };
  const { ended } = runProgram(
    { code: "", timeoutMs, stored: {} },
    {
      process,
      tools,
      calls: { call: call ?? (async () => done), end: async () => 0 },
      signal: new AbortController().signal,
    },
  );
  return { ...(await ended), stopped, written };
}

const line = (message: object): string => `${JSON.stringify(message)}\n`;
const callLine = (id: number): string => line({ kind: "call", id, name: "read", arguments: {} });
const end = line({ kind: "end" });

describe("a program's process", () => {
  it.each<[string, string]>([
    ["text that is not JSON", "garbage\n"],
    ["a reply to itself", line({ id: 1, value: "forged" })],
    ["a kind that does not exist", line({ kind: "approve", id: 1 })],
    ["a second greeting", line({ kind: "ready" })],
    ["a call without a number", line({ kind: "call", name: "read" })],
    ["a call with a name that is no text", line({ kind: "call", id: 1, name: { a: 1 } })],
    ["a number that is used", callLine(1) + callLine(1)],
    ["a stored value that is not JSON", line({ kind: "store", key: "a", json: "{" })],
    ["JSON of great depth", `${"[".repeat(5_000)}\n`],
  ])("is stopped if it sends %s", async (_, text) => {
    const ended = await run({ says: (write) => write(text + end) });
    expect(ended.error?.message).toMatch(/was stopped/u);
    expect(ended.error?.code).toBe("failed");
    expect(ended.stopped).toBe(true);
  });

  it("is stopped if it floods the host", async () => {
    const { calls, messages, message, total, stored, output } = programLimits;
    const print = line({ kind: "print", text: "" });
    const floods: [string, (write: (text: string) => void) => void][] = [
      [
        `${calls} calls`,
        (write) => {
          for (let id = 1; id <= calls + 1; id++) write(callLine(id));
        },
      ],
      [`${messages} messages`, (write) => write(print.repeat(messages + 1))],
      ["more than it may", (write) => write("x".repeat(message + 1))],
      [
        "more than it may",
        (write) => {
          const part = line({
            kind: "store",
            key: "k",
            json: JSON.stringify("x".repeat(stored / 2)),
          });
          for (let sent = 0; sent <= total; sent += part.length) write(part);
        },
      ],
      [
        `${output} characters`,
        (write) => write(line({ kind: "print", text: "x".repeat(output + 1) })),
      ],
      [
        `${stored} characters`,
        (write) => {
          write(line({ kind: "store", key: "k", json: JSON.stringify("x".repeat(stored)) }));
        },
      ],
    ];
    for (const [named, says] of floods) {
      const ended = await run({ says });
      expect(ended.error?.message).toContain(named);
      expect(ended.output.length).toBeLessThanOrEqual(output);
    }
  });

  it("is stopped if it does not take the results of its calls", async () => {
    const big: ToolResult = { ...done, type: "output", data: "x".repeat(4_000_000) };
    const says = (write: (text: string) => void): void => {
      for (let id = 1; id <= 20; id++) write(callLine(id));
    };
    const ended = await run({ says, reads: false, call: async () => big });
    expect(ended.error?.message).toContain("did not take the results");
  });

  it("gets no answer and makes no call after it has ended", async () => {
    let made = 0;
    const ended = await run({
      says: (write) => write(end + callLine(1)),
      call: async () => {
        made += 1;
        return done;
      },
    });
    expect(ended.error).toBeUndefined();
    expect(made).toBe(0);
    expect(ended.written).toHaveLength(1);
  });

  it("is given messages that come in pieces", async () => {
    const text =
      callLine(1) + line({ kind: "print", text: "é\n" }) + line({ kind: "end", json: "[1]" });
    const ended = await run({
      says: (write) => {
        for (const character of text) write(character);
      },
    });
    expect(ended).toMatchObject({ output: "é\n", result: [1], calls: 1 });
  });

  it.each([
    [
      "out of memory",
      { exitCode: 134, signal: undefined, lastWords: "JavaScript heap out of memory" },
      /ran out of memory: its limit is 128 MB/u,
    ],
    ["by a signal", { exitCode: 137, signal: undefined, lastWords: "" }, /ended with SIGKILL/u],
    ["by itself", { exitCode: 1, signal: undefined, lastWords: "" }, /ended with exit code 1/u],
  ])("is named when it ends %s", async (_, how, message) => {
    const ended = await run({ says: (_write, listener) => listener.onEnd(how) });
    expect(ended.error?.message).toMatch(message);
  });

  it("names a failure that it does not describe", async () => {
    const ended = await run({
      says: (write) => write(line({ kind: "fail", line: "1", code: {} })),
    });
    expect(ended.error?.message).toBe("The program failed: It gives no reason.\nIt made no call.");
  });

  it("has its clock stopped while a person is asked", async () => {
    let listener: ProcessListener | undefined;
    const process: BlankProcess = {
      listen: (given) => {
        listener = given;
      },
      write: async () => {},
      stop: async () => {},
    };
    const context = {
      process,
      tools,
      calls: { call: async () => done, end: async () => 0 },
      signal: new AbortController().signal,
    };
    const program = runProgram({ code: "", timeoutMs: 50, stored: {} }, context);
    program.pause(true);
    // Longer than its time limit, which does not run.
    await new Promise((resolve) => setTimeout(resolve, 200));
    listener?.onOutput(end);
    expect((await program.ended).error).toBeUndefined();
    const other = runProgram({ code: "", timeoutMs: 50, stored: {} }, context);
    other.pause(true);
    other.pause(false);
    expect((await other.ended).error?.code).toBe("timeout");
  });
});
