import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const module = fileURLToPath(new URL("./has-input.ts", import.meta.url));
// It ends by itself only if what is not read is let go of.
const program = `
  const { hasInput } = await import(${JSON.stringify(module)});
  const answer = hasInput(process.stdin, { pipeMs: 500, socketMs: 500 });
  const busyUntil = Date.now() + Number(process.env.BUSY_MS);
  while (Date.now() < busyUntil);
  const isThere = await answer;
  let text = "";
  if (isThere) for await (const chunk of process.stdin) text += chunk;
  process.stdout.write(JSON.stringify([isThere, text]));
`;

interface Situation {
  readonly stdin?: "pipe" | "ignore";
  /** How long it does nothing but compute, right after the question. Default: 0. */
  readonly busyMs?: number;
}

function start(before: string, after: string, situation: Situation = {}): ChildProcess {
  const { stdin = "pipe", busyMs = 0 } = situation;
  const node = '"$NODE" --input-type=module -e "$PROGRAM"';
  const child = spawn("/bin/sh", ["-c", `${before}${node}${after}`], {
    env: { ...process.env, NODE: process.execPath, PROGRAM: program, BUSY_MS: `${busyMs}` },
    stdio: [stdin, "pipe", "inherit"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

async function outputOf(child: ChildProcess): Promise<unknown> {
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  await once(child, "close");
  return JSON.parse(output);
}

describe("hasInput", () => {
  it("finds what comes through a shell's pipe, and reads all of it", async () => {
    expect(await outputOf(start("{ echo one; sleep 0.2; echo two; } | ", ""))).toEqual([
      true,
      "one\ntwo\n",
    ]);
  });

  it("finds a file", async () => {
    expect(await outputOf(start("", ` < ${module}`))).toEqual([
      true,
      expect.stringContaining("hasInput"),
    ]);
  });

  it("finds no input at a closed or missing stream", async () => {
    expect(await outputOf(start("", "", { stdin: "ignore" }))).toEqual([false, ""]);
    const child = start("", "");
    child.stdin?.end();
    expect(await outputOf(child)).toEqual([expect.any(Boolean), ""]);
  });

  it("finds what a program writes", async () => {
    const child = start("", "");
    child.stdin?.end("from a program");
    expect(await outputOf(child)).toEqual([true, "from a program"]);
  });

  it("finds what was there all along if it gets no time to look", async () => {
    const child = start("", "", { busyMs: 700 });
    child.stdin?.end("from a program");
    expect(await outputOf(child)).toEqual([true, "from a program"]);
  });

  it("continues without input that never comes", async () => {
    expect(await outputOf(start("", ""))).toEqual([false, ""]);
    // Who opened it for reading and writing never sees its end.
    const fifo = join(mkdtempSync(join(tmpdir(), "haft-input-")), "fifo");
    onTestFinished(() => rmSync(dirname(fifo), { recursive: true, force: true }));
    const child = start(`mkfifo ${fifo} && exec 3<>${fifo} && `, " <&3");
    expect(await outputOf(child)).toEqual([false, ""]);
  });
});
