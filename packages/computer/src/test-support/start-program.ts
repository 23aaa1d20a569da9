import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { closeBrokers } from "../broker/broker.ts";
import {
  createDiskComputer,
  type DiskComputer,
  type DiskComputerOptions,
} from "../disk/disk-computer.ts";
import type { ProgramStart, StartedProgram } from "../shell/started-program.ts";
import { makeTemporaryDirectory } from "./temporary-directory.ts";

/** A computer that programs are started on, for the running test. */
export interface ProgramBench {
  readonly computer: DiskComputer;
  readonly root: string;
  /** A directory beside the workspace. */
  readonly outside: string;
  start(start: Partial<ProgramStart> & Pick<ProgramStart, "argv">): Promise<TestProgram>;
}

/** A program and what it has said so far. */
export interface TestProgram extends StartedProgram {
  text(): string;
  errors(): string;
  /** Comes back once it has said this, or has ended. */
  untilSaid(text: string): Promise<void>;
}

/** Makes a computer with a workspace that holds these files, all of which can be run. */
export function openProgramBench(
  files: Readonly<Record<string, string>> = {},
  options: Partial<DiskComputerOptions> = {},
): ProgramBench {
  const base = makeTemporaryDirectory();
  const root = join(base, "workspace");
  const outside = join(base, "outside");
  for (const directory of [root, outside]) mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content, { mode: 0o755 });
  }
  const stateDirectory = join(base, "state");
  const computer = createDiskComputer({ workspace: root, stateDirectory, ...options });
  onTestFinished(() => closeBrokers());
  return { computer, root, outside, start: (start) => startTestProgram(computer, start) };
}

async function startTestProgram(
  computer: DiskComputer,
  start: Partial<ProgramStart> & Pick<ProgramStart, "argv">,
): Promise<TestProgram> {
  const said = { output: "", errors: "" };
  const waiting = new Set<() => void>();
  const hear = (stream: keyof typeof said) => {
    const decoder = new TextDecoder();
    return (bytes: Uint8Array): undefined => {
      said[stream] += decoder.decode(bytes, { stream: true });
      for (const look of waiting) look();
    };
  };
  const program = await computer.startProgram({
    onOutput: hear("output"),
    onErrors: hear("errors"),
    ...start,
  });
  program.keepAlive(true);
  return {
    ...program,
    text: () => said.output,
    errors: () => said.errors,
    untilSaid: (text) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (said.output.includes(text)) resolve();
        };
        waiting.add(look);
        look();
        void program.ended.then(() => resolve());
      }),
  };
}
