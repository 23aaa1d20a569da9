import type { JsonValue } from "@haft/contract";
import type { FileChange, Rule, SessionStorage } from "@haft/core";
import { formatRule } from "@haft/core/internal";
import { childOf } from "../paths/path-parts.ts";
import { requireSessionName } from "../session/session-name.ts";
import { sidecarNames } from "../session/sidecar-names.ts";
import { toState } from "./memory-changes.ts";
import { createMemoryJournal } from "./memory-journal.ts";
import type { MemoryNode, MemoryTree } from "./memory-tree.ts";

/** A session that lives as long as the process. */
export interface MemorySession extends SessionStorage {
  /** Recorded changes, oldest first. */
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

/** Creates a session in memory; only its sidecars are files. */
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
  const writeSidecar = (callId: string, bytes: Uint8Array): string => {
    const path = findFree(tree, directory, callId);
    tree.parent(path, () => "make");
    tree.write(path, bytes, 0o600);
    return path;
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
      write: async (callId, content) => writeSidecar(callId, toBytes(content)),
      open: (callId) => {
        const parts: Uint8Array[] = [];
        return {
          write: async (part) => {
            parts.push(toBytes(part));
          },
          end: async () => writeSidecar(callId, joinBytes(parts)),
          discard: async () => {},
        };
      },
    },
    journal,
    rules: {
      list: (scope) => rules[scope].slice(),
      add: async (scope, rule) => {
        if (!rules[scope].some((present) => isSame(present, rule))) rules[scope].push(rule);
      },
      remove: async (scope, rule) => {
        const at = rules[scope].findIndex((present) => isSame(present, rule));
        if (at >= 0) rules[scope].splice(at, 1);
        return at >= 0;
      },
    },
    close: async () => tree.remove(directory),
  };
}

// A parent in the path may be a file by now.
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
  throw new Error("unreachable: the names never run out");
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? encoder.encode(content) : content;
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function isSame(a: Rule, b: Rule): boolean {
  return formatRule(a) === formatRule(b);
}
