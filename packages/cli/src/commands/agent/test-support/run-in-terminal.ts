import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished } from "vitest";
import { sourceCommand } from "../../../../../../test/programs/source-command.ts";

/** A program that runs in a terminal of its own. */
export interface TerminalRun {
  /** Everything it showed so far. */
  screen(): string;
  type(keys: string): void;
  /** Waits until it has shown this since `type` was last called. */
  see(text: string): Promise<void>;
  readonly ended: Promise<number | null>;
}

const command = await sourceCommand(new URL("./talk.ts", import.meta.url));

/** Runs `haft agent` with a scripted agent in a pseudo-terminal, until the test ends. */
export function runInTerminal(environment: Readonly<Record<string, string>>): TerminalRun {
  // In place of the shell, which would have its own opinion of Ctrl-C.
  const line = `exec ${command.map(quote).join(" ")}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], {
    env: { ...process.env, NO_COLOR: "", TERM: "xterm", SHELL: "/bin/sh", ...environment },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  let since = 0;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
  });
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    screen: () => shown,
    type: (keys) => {
      since = shown.length;
      child.stdin.write(keys);
    },
    see: (text) => expect.poll(() => shown.slice(since)).toContain(text),
    ended,
  };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
