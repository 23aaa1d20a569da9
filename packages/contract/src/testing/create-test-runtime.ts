import type { FileSystem } from "../file-system.ts";
import type { JsonValue } from "../json-schema.ts";
import type { Net } from "../net.ts";
import type { Progress, Runtime, SessionState } from "../runtime.ts";
import type { Shell } from "../shell.ts";
import { ToolError } from "../tool-error.ts";

/** A runtime that remembers reported progress. */
export interface TestRuntime extends Runtime {
  readonly reported: readonly Progress[];
}

/**
 * Creates a runtime for unit tests: no files, no programs, no network, a headless host and a session
 * in memory. `overrides` replace parts of it.
 *
 * @example
 * ```ts
 * import { createTestRuntime, MockTool } from "@haft/contract/testing";
 *
 * const runtime = createTestRuntime();
 * await new MockTool({ name: "greet" }).execute({ name: "Ada" }, runtime);
 * runtime.reported; // the progress that the tool reported
 * ```
 */
export function createTestRuntime(overrides: Partial<Runtime> = {}): TestRuntime {
  const reported: Progress[] = [];
  return {
    callId: "test-call",
    fs: missingFileSystem,
    shell: missingShell,
    net: missingNet,
    history: { latest: async () => [] },
    settings: {},
    tools: { list: () => [], show: () => {} },
    session: { id: "test-session", roots: ["/workspace"], state: createState() },
    host: {
      question: async () => {
        throw new ToolError(
          "headless",
          "This session is not interactive, so questions can't be answered. Continue with your best judgement.",
        );
      },
    },
    signal: new AbortController().signal,
    ...overrides,
    reported,
    progress: (progress = {}) => {
      reported.push(progress);
      overrides.progress?.(progress);
    },
  };
}

function createState(): SessionState {
  // Stored as text because a real session returns copies: changing one must not change the state.
  const values = new Map<string, string>();
  return {
    get: async (key) => {
      const text = values.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
    },
    set: async (key, value) => {
      values.set(key, JSON.stringify(value));
    },
  };
}

const refuse = (): never => {
  throw new ToolError(
    "unavailable",
    "This test runtime has no files. Pass an fs, such as the one of @haft/computer/memory.",
  );
};

const missingFileSystem: FileSystem = {
  resolve: refuse,
  stat: async () => refuse(),
  read: async () => refuse(),
  write: async () => refuse(),
  list: async () => refuse(),
  remove: async () => refuse(),
  move: async () => refuse(),
  load: async () => refuse(),
  splice: async () => refuse(),
  change: async () => refuse(),
  findFiles: async () => refuse(),
  findText: async () => refuse(),
};

const refuseToRun = (what: string): never => {
  throw new ToolError("unavailable", `This test runtime can't run ${what}. Pass a shell.`);
};

const missingShell: Shell = {
  find: async () => undefined,
  run: async ({ argv }) => refuseToRun(argv[0]),
  execute: async ({ command }) => refuseToRun(command),
  jobs: {
    start: async ({ command }) => refuseToRun(command),
    list: async () => [],
    output: async (id) => refuseToRun(id),
    stop: async (id) => refuseToRun(id),
  },
};

const missingNet: Net = {
  fetch: async ({ url }) => {
    throw new ToolError("unavailable", `This test runtime can't reach ${url}. Pass a net.`);
  },
};
