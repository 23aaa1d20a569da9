import type { DiskComputer } from "@haft/computer";
import { type Clock, systemClock } from "@haft/core";
import { type DiagnoseOptions, diagnoseChanges } from "./diagnose-changes.ts";
import { findServer } from "./find/find-server.ts";
import type { UseServer } from "./server-request.ts";
import { createServerSlot, type ServerLimits, type ServerSlot } from "./server-slot.ts";

/** Where language servers are found, and how they are kept. */
export interface LanguageServersOptions {
  readonly computer: DiskComputer;
  /** Whose `PATH` is searched; this process's unless said. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly limits?: Partial<ServerLimits>;
}

/** The language servers of a workspace, each started when it is first needed. */
export interface LanguageServers {
  readonly use: UseServer;
  /**
   * What is wrong in files that have changed, in words for a model; `undefined` if nothing is or nobody
   * can tell. Never rejects.
   */
  diagnoseChanges(paths: readonly string[], options: DiagnoseOptions): Promise<string | undefined>;
  /** Ends all of them. */
  close(): Promise<void>;
}

const mostRunning = 8;
const usualLimits: ServerLimits = { startMs: 60_000, idleMs: 600_000, pauseMs: 500 };

/** Makes the language servers of a workspace available; nothing is started yet. */
export function createLanguageServers(options: LanguageServersOptions): LanguageServers {
  const { computer, environment, clock = systemClock } = options;
  const place = { roots: computer.roots, searchPath: (environment ?? process.env).PATH };
  const context = {
    computer,
    clock,
    limits: { ...usualLimits, ...options.limits },
    searchPath: environment?.PATH,
  };
  // In the order of their last use.
  const slots = new Map<string, ServerSlot>();

  const takeSlot = (key: string): ServerSlot => {
    const slot = slots.get(key) ?? createServerSlot(context);
    slots.delete(key);
    slots.set(key, slot);
    const running = [...slots.values()].filter(({ isRunning }) => isRunning);
    const surplus = running.length + (slot.isRunning ? 0 : 1) - mostRunning;
    const unused = running.filter((other) => other !== slot && !other.isBusy);
    for (const other of unused.slice(0, Math.max(0, surplus))) void other.close();
    return slot;
  };

  const use: UseServer = async ({ path, work }, signal) => {
    const found = findServer(path, place);
    const slot = takeSlot(`${found.language.name}\n${found.root}`);
    return slot.use({ found, work }, signal);
  };

  return {
    use,
    diagnoseChanges: (paths, diagnoseOptions) =>
      diagnoseChanges({ use, computer, paths }, diagnoseOptions),
    close: async () => {
      await Promise.all([...slots.values()].map((slot) => slot.close()));
      slots.clear();
    },
  };
}
