import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer } from "@haft/computer";
import type { Tool, ToolResult } from "@haft/contract";
import {
  type Computer,
  createMemoryRecorder,
  createRegistry,
  createSession,
  parseRule,
  type Registry,
  type Session,
  type SessionOptions,
} from "@haft/core";
import { builtinTools } from "@haft/tools";
import { onTestFinished } from "vitest";
import { createCells } from "../cells.ts";
import { createCodeOutputTool } from "../code-output-tool.ts";
import { createProgramPool, type ProgramPool } from "../program-pool.ts";
import type { RunCodeData } from "../run-code.ts";
import { createRunCodeTool } from "../run-code-tool.ts";

/** A session that can run programs. */
export interface OpenSession {
  readonly root: string;
  readonly session: Session;
  readonly recorder: ReturnType<typeof createMemoryRecorder>;
  run(code: string, timeoutMs?: number): Promise<ToolResult<RunCodeData>>;
}

/** A workspace on disk with a session that can run programs. */
export interface OpenPrograms extends OpenSession {
  read(name: string): string;
}

type Options = Partial<SessionOptions> & { readonly tools?: readonly Tool[] };

let shared: ProgramPool | undefined;

/** The pool of a test file: starting a process takes long on a busy machine. */
export function sharedPool(): ProgramPool {
  shared ??= createProgramPool(mkdtempSync(join(tmpdir(), "haft-programs-")));
  return shared;
}

/** Opens a workspace with these files. Everything is allowed unless the options have rules. */
export function openPrograms(
  files: Readonly<Record<string, string>> = {},
  options: Options = {},
): OpenPrograms {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-code-")));
  const [root, state] = [join(base, "workspace"), join(base, "state")];
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  // Runs after the session is closed.
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const computer = createDiskComputer({ workspace: root, stateDirectory: state });
  return {
    ...openProgramSession(computer, sharedPool(), options),
    read: (name) => readFileSync(join(root, name), "utf8"),
  };
}

/** Opens a session on a computer. Everything is allowed unless the options have rules. */
export function openProgramSession(
  computer: Computer,
  pool: ProgramPool,
  { tools = noTools, ...options }: Options = {},
): OpenSession {
  const recorder = createMemoryRecorder();
  const session = createSession({
    registry: registryFor(pool, tools),
    computer,
    recorder,
    rules: [parseRule("* * allow"), parseRule("bash ** allow")],
    ...options,
  });
  sessions.set(session.id, session);
  onTestFinished(async () => {
    await session.close();
    sessions.delete(session.id);
  });
  return {
    root: computer.roots[0] as string,
    session,
    recorder,
    run: (code, timeoutMs) =>
      session.call({
        name: "run_code",
        arguments: { code, ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }) },
      }) as Promise<ToolResult<RunCodeData>>,
  };
}

const noTools: readonly Tool[] = [];
const sessions = new Map<string, Session>();
const registries = new WeakMap<ProgramPool, WeakMap<readonly Tool[], Registry>>();

/** The registry with `run_code` and these tools. Its schemas are compiled once. */
function registryFor(pool: ProgramPool, tools: readonly Tool[]): Registry {
  const known = registries.get(pool) ?? new WeakMap<readonly Tool[], Registry>();
  registries.set(pool, known);
  const registry = known.get(tools) ?? makeRegistry(pool, tools);
  known.set(tools, registry);
  return registry;
}

function makeRegistry(pool: ProgramPool, tools: readonly Tool[]): Registry {
  const cells = createCells();
  const runCode = createRunCodeTool({
    pool: async () => pool,
    sessionOf: (id) => sessions.get(id),
    cells,
  });
  // A tool takes the place of the built-in one with its ID.
  const own = new Set(tools.map(({ id }) => id));
  const others = builtinTools.filter(({ id }) => !own.has(id));
  return createRegistry([
    ...others,
    runCode as Tool,
    createCodeOutputTool(cells) as Tool,
    ...tools,
  ]);
}
