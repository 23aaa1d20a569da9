import { type Net, type Shell, ToolError } from "@haft/contract";
import type { Computer, Rule } from "@haft/core";
import { unreadCommand } from "@haft/core/internal";
import { judgeFileUse } from "../paths/judge-file-use.ts";
import { childOf } from "../paths/path-parts.ts";
import { createPathPolicies } from "../paths/path-policy.ts";
import { type PathOrigin, resolvePath } from "../paths/resolve-path.ts";
import { isSecretPath } from "../paths/secret-path.ts";
import { openMemoryFiles } from "./memory-files.ts";
import { createMemorySession, type MemorySession } from "./memory-session.ts";
import { MemoryTree } from "./memory-tree.ts";

/** Options of `createMemoryComputer`. */
export interface MemoryComputerOptions {
  /** Contents by path; relative paths start at the root, and directories are created as needed. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The workspace root. Default: `/workspace`. */
  readonly root?: string;
}

/** A computer that exists only in this process. */
export interface MemoryComputer extends Computer {
  openSession(name: string): MemorySession;
}

const stateDirectory = "/.haft";
const encoder = new TextEncoder();

/**
 * Creates a computer in memory, for tests and for hosts without a disk. It runs no programs.
 *
 * @example
 * ```ts
 * import { createMemoryComputer } from "@haft/computer/memory";
 *
 * const computer = createMemoryComputer({ files: { "notes.md": "# Notes" } });
 * console.log(computer.resolve("notes.md")); // /workspace/notes.md
 * ```
 */
export function createMemoryComputer(options: MemoryComputerOptions = {}): MemoryComputer {
  const tree = new MemoryTree();
  const root = resolvePath(options.root ?? "/workspace", { base: "/", home: undefined });
  const origin: PathOrigin = { base: root, home: undefined };
  const resolve = (path: string): string => resolvePath(path, origin);
  tree.parent(childOf(root, "."), () => "make");
  for (const [path, content] of Object.entries(options.files ?? {})) {
    const bytes = typeof content === "string" ? encoder.encode(content) : content;
    tree.parent(resolve(path), () => "make");
    tree.write(resolve(path), bytes, 0o644);
  }
  const roots = [root];
  const policyFor = createPathPolicies({ roots, stateDirectory });
  const sessions = new Map<string, MemorySession>();
  const projectRules: Rule[] = [];

  return {
    space: tree,
    roots,
    home: undefined,
    variables: {
      workspace: roots,
      repository: [],
      "ad-hoc": [],
      "user-data": [],
      "allowed-hosts": [],
    },
    isolation: "capability",
    resolve,
    // There are no links in memory.
    identify: resolve,
    openFiles: (scope) => {
      const policy = policyFor(scope);
      return openMemoryFiles(resolve, { tree, scope, policy, roots });
    },
    openShell: () => missingShell,
    openNet: () => missingNet,
    prepareShell: () => undefined,
    shellIsolation: "none",
    judgeUse: async (use, scope) => {
      if ((use.type ?? "file") === "file") {
        judgeFileUse(use, policyFor(scope), {
          follow: resolve,
          isDirectory: (path) => tree.find(path)?.kind === "directory",
        });
      }
      return undefined;
    },
    readCommand: (command) => unreadCommand(command, "a computer in memory runs no commands"),
    isSecret: isSecretPath,
    secrets: {},
    // No other process sees files in memory.
    holdFiles: () => undefined,
    openSession: (name) => {
      const session =
        sessions.get(name) ?? createMemorySession(name, { tree, stateDirectory, projectRules });
      sessions.set(name, session);
      return session;
    },
  };
}

const refuse = (what: string): never => {
  throw new ToolError(
    "unavailable",
    `${what} can't be run: a computer in memory runs no programs.`,
  );
};

const missingShell: Shell = {
  find: async () => undefined,
  run: async ({ argv }) => refuse(argv[0]),
  execute: async ({ command }) => refuse(command),
  jobs: {
    start: async ({ command }) => refuse(command),
    list: async () => [],
    output: async (id) => refuse(`The job ${id}`),
    stop: async (id) => refuse(`The job ${id}`),
  },
};

const missingNet: Net = {
  fetch: async ({ url }) => {
    throw new ToolError(
      "unavailable",
      `${url} can't be reached: a computer in memory has no network.`,
    );
  },
};
