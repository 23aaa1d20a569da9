import type { JsonValue } from "@haft/contract";
import type { FileChange, Rule, SessionStorage } from "@haft/core";
import { childOf } from "../paths/path-parts.ts";
import { requireSessionName } from "../session/session-name.ts";
import { sidecarNames } from "../session/sidecar-names.ts";
import { toState } from "./memory-changes.ts";
import { createMemoryJournal } from "./memory-journal.ts";
import type { MemoryNode, MemoryTree } from "./memory-tree.ts";

/** A session that lives as long as the process. */
export interface MemorySession extends SessionStorage {
  /** What the journal was told, oldest first. */
  readonly changes: readonly FileChange[];
}

/** What sessions in memory share. */
export interface MemorySessionOrigin {
  readonly tree: MemoryTree;
  readonly stateDirectory: string;
  /** The rules of all sessions of this computer. */
  readonly projectRules: Rule[];
}

const encoder = new TextEncoder();

/** Makes a session in memory; only its sidecars are files. */
export function createMemorySession(name: string, origin: MemorySessionOrigin): MemorySession {
  requireSessionName(name);
  const { tree } = origin;
  const directory = `${origin.stateDirectory}/sessions/memory/${name}/sidecars`;
  const values = new Map<string, string>();
  const journal = createMemoryJournal((path) => toState(findNode(tree, path)));
  const rules: Readonly<Record<"session" | "project", Rule[]>> = {
    session: [],
    project: origin.projectRules,
  };
  return {
    id: `memory/${name}`,
    name,
    changes: journal.changes,
    state: {
      get: async (key) => {
        const text = values.get(key);
        return text === undefined ? undefined : (JSON.parse(text) as JsonValue);
      },
      set: async (key, value) => {
        values.set(key, JSON.stringify(value));
      },
    },
    sidecars: {
      directory,
      write: async (callId, content) => {
        const bytes = typeof content === "string" ? encoder.encode(content) : content;
        const path = findFree(tree, directory, callId);
        tree.parent(path, () => "make");
        tree.write(path, bytes, 0o600);
        return path;
      },
    },
    journal,
    rules: {
      list: (scope) => rules[scope].slice(),
      add: async (scope, rule) => {
        if (!rules[scope].some((present) => isSame(present, rule))) rules[scope].push(rule);
      },
    },
    close: async () => tree.remove(directory),
  };
}

// A part of the path may be a file by now.
function findNode(tree: MemoryTree, path: string): MemoryNode | undefined {
  try {
    return tree.find(path);
  } catch {
    return undefined;
  }
}

function findFree(tree: MemoryTree, directory: string, callId: string): string {
  for (const name of sidecarNames(callId)) {
    const path = childOf(directory, name);
    if (tree.find(path) === undefined) return path;
  }
  throw new Error("There is always another name.");
}

function isSame(a: Rule, b: Rule): boolean {
  return a.permission === b.permission && a.pattern === b.pattern && a.action === b.action;
}
