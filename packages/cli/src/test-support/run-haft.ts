import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Io } from "../io.ts";
import { main } from "../main.ts";

/** What a command did. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  json<T>(): T;
}

/** A workspace of a test's own, with its own state directory; both go when the test ends. */
export interface TestWorkspace {
  readonly directory: string;
  readonly state: string;
  haft(args: readonly string[], situation?: Situation): Promise<Ran>;
}

/** What is different from a script that runs without a terminal. */
export interface Situation {
  readonly input?: string;
  /** What the person at the terminal types, line by line. */
  readonly typed?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly outputIsTerminal?: boolean;
  readonly signal?: AbortSignal;
  /** Is told of everything written to standard output as it comes. */
  onOutput?(text: string): void;
  /** The same for standard error. */
  onError?(text: string): void;
}

/** Makes a workspace with these files. */
export function createTestWorkspace(files: Readonly<Record<string, string>> = {}): TestWorkspace {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "haft-cli-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const directory = join(home, "workspace");
  const state = join(home, "state");
  mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  return { directory, state, haft: (args, situation) => run(args, situation ?? {}) };

  async function run(args: readonly string[], situation: Situation): Promise<Ran> {
    let stdout = "";
    let stderr = "";
    const typed = [...(situation.typed ?? [])];
    const io: Io = {
      out: (text) => {
        stdout += text;
        situation.onOutput?.(text);
      },
      error: (text) => {
        stderr += text;
        situation.onError?.(text);
      },
      readInput: async () => situation.input ?? "",
      readLine: async () => typed.shift(),
      environment: { HAFT_HOME: state, ...situation.environment },
      directory,
      interactive: situation.typed !== undefined,
      outputIsTerminal: situation.outputIsTerminal ?? false,
      signal: situation.signal ?? new AbortController().signal,
    };
    const exitCode = await main(args, io);
    return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) };
  }
}
