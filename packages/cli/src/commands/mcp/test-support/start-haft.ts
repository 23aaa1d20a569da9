import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { sourceCommand } from "../../../../../../test/programs/source-command.ts";
import type { TestWorkspace } from "../../../test-support/run-haft.ts";

/** The program in a process of its own, spoken to in JSON lines. */
export interface StartedHaft {
  readonly child: ChildProcess;
  /** Every line of standard output so far. */
  readonly lines: readonly string[];
  /** What came on standard error so far. */
  readonly errors: () => string;
  send(message: object | string): void;
  /** Sends a request and waits for its answer. */
  ask(method: string, params?: object): Promise<Answer>;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

/** What a request came to: one of the two, and of a result what the method has. */
export interface Answer {
  readonly id: unknown;
  readonly result: {
    readonly tools: readonly { readonly name: string }[];
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly code: number; readonly message: string };
}

const [command, ...before] = await sourceCommand(new URL("./haft.ts", import.meta.url));

/** Starts the program from its sources in a workspace, until the test ends. */
export function startHaft(
  { directory, state }: TestWorkspace,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): StartedHaft {
  const child = spawn(command, [...before, ...args], {
    cwd: directory,
    env: { ...process.env, HAFT_HOME: state, ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { stdin, stdout, stderr } = child;
  const lines: string[] = [];
  const waiting = new Map<unknown, (answer: Answer) => void>();
  let errors = "";
  let asked = 0;
  stderr.setEncoding("utf8").on("data", (text) => {
    errors += text;
  });
  stdin.on("error", () => {});
  createInterface({ input: stdout }).on("line", (line) => {
    lines.push(line);
    if (!line.startsWith("{")) return;
    const answer = JSON.parse(line) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const send = (message: object | string): void => {
    stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
  };
  return {
    child,
    lines,
    errors: () => errors,
    send,
    ask: (method, params = {}) => {
      const id = ++asked;
      const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
      const unanswered = ended.then((code) => {
        throw new Error(`haft ended with ${code} before it answered ${method}: ${errors}`);
      });
      unanswered.catch(() => {});
      send({ jsonrpc: "2.0", id, method, params });
      return Promise.race([answered, unanswered]);
    },
    ended,
  };
}
