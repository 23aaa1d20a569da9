import { type Shell, ToolError } from "@haft/contract";
import type { Computer, Rule } from "@haft/core";
import { childOf } from "../paths/path-parts.ts";
import { createPathPolicies } from "../paths/path-policy.ts";
import { type PathOrigin, resolvePath } from "../paths/resolve-path.ts";
import { openMemoryFiles } from "./memory-files.ts";
import { createMemorySession, type MemorySession } from "./memory-session.ts";
import { MemoryTree } from "./memory-tree.ts";

/** What a computer in memory starts with. */
export interface MemoryComputerOptions {
  /** Contents by path; relative paths start at the root, directories come with their files. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** The workspace; `/workspace` unless said. */
  readonly root?: string;
}

/** A computer that exists only in this process. */
export interface MemoryComputer extends Computer {
  openSession(name: string): MemorySession;
}

const stateDirectory = "/.haft";
const encoder = new TextEncoder();

/** Makes a computer in memory: for tests, and for where there is no disk. */
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
    variables: { workspace: roots, "ad-hoc": [], "user-data": [] },
    isolation: "capability",
    resolve,
    // There are no links in memory.
    identify: resolve,
    openFiles: (scope) => {
      const policy = policyFor(scope);
      return openMemoryFiles(resolve, { tree, scope, policy, roots });
    },
    openShell: () => missingShell,
    // No other process sees what is in memory.
    holdFiles: () => undefined,
    openSession: (name) => {
      const session =
        sessions.get(name) ?? createMemorySession(name, { tree, stateDirectory, projectRules });
      sessions.set(name, session);
      return session;
    },
  };
}

const missingShell: Shell = {
  find: async () => undefined,
  run: async ({ argv }) => {
    throw new ToolError("unavailable", `${argv[0]} can't be run: this computer is in memory only.`);
  },
};
