import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { Tool, ToolResult } from "@haft/contract";
import {
  createMemoryRecorder,
  createRegistry,
  createSession,
  parseRule,
  type Session,
  type SessionOptions,
} from "@haft/core";
import { builtinTools } from "@haft/tools";
import { onTestFinished } from "vitest";
import { createProgramPool, type ProgramPool } from "../program-pool.ts";
import type { RunCodeData } from "../run-code.ts";
import { createRunCodeTool } from "../run-code-tool.ts";

/** A workspace on disk with a session that can run programs. */
export interface OpenPrograms {
  readonly root: string;
  readonly session: Session;
  readonly recorder: ReturnType<typeof createMemoryRecorder>;
  run(code: string, timeoutMs?: number): Promise<ToolResult<RunCodeData>>;
  read(name: string): string;
}

let shared: ProgramPool | undefined;

/** The pool of a test file: starting a process takes long on a busy machine. */
export function sharedPool(): ProgramPool {
  shared ??= createProgramPool(mkdtempSync(join(tmpdir(), "haft-programs-")));
  return shared;
}

/** Opens a workspace with these files. Everything is allowed unless the options have rules. */
export function openPrograms(
  files: Readonly<Record<string, string>> = {},
  { tools = [], ...options }: Partial<SessionOptions> & { readonly tools?: readonly Tool[] } = {},
): OpenPrograms {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-code-")));
  const [root, state] = [join(base, "workspace"), join(base, "state")];
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const computer = createDiskComputer({ workspace: root, stateDirectory: state });
  const recorder = createMemoryRecorder();
  const sessions = new Map<string, Session>();
  const runCode = createRunCodeTool({
    pool: async () => sharedPool(),
    sessionOf: (id) => sessions.get(id),
  });
  const session = createSession({
    registry: createRegistry([...builtinTools, runCode as Tool, ...tools]),
    computer,
    recorder,
    rules: [parseRule("* * allow"), parseRule("bash ** allow")],
    ...options,
  });
  sessions.set(session.id, session);
  onTestFinished(async () => {
    await session.close();
    rmSync(base, { recursive: true, force: true });
  });
  return {
    root,
    session,
    recorder,
    read: (name) => readFileSync(join(root, name), "utf8"),
    run: (code, timeoutMs) =>
      session.call({
        name: "run_code",
        arguments: { code, ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }) },
      }) as Promise<ToolResult<RunCodeData>>,
  };
}
