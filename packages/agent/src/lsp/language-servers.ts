import type { DiskComputer } from "@haft/computer";
import type { Clock } from "@haft/core";
import { systemClock } from "@haft/core/internal";
import { type DiagnoseOptions, diagnoseChanges } from "./diagnose-changes.ts";
import { findServer } from "./find/find-server.ts";
import type { UseServer } from "./server-request.ts";
import { createServerSlot, type ServerLimits, type ServerSlot } from "./server-slot.ts";

/** Options of `createLanguageServers`. */
export interface LanguageServersOptions {
  readonly computer: DiskComputer;
  /** Environment whose `PATH` is searched. Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  readonly limits?: Partial<ServerLimits>;
}

/** The language servers of a workspace. Each is started on first use. */
export interface LanguageServers {
  readonly use: UseServer;
  /**
   * Returns the diagnostics of changed files as text for a model, or `undefined` if there are none or no server
   * is available. Never rejects.
   */
  diagnoseChanges(paths: readonly string[], options: DiagnoseOptions): Promise<string | undefined>;
  /** Stops all servers. */
  close(): Promise<void>;
}

const maxRunning = 8;
const usualLimits: ServerLimits = {
  startMs: 60_000,
  idleMs: 600_000,
  pauseMs: 500,
  quietMs: 500,
};

/** Creates the language servers of a workspace. Nothing is started yet. */
export function createLanguageServers(options: LanguageServersOptions): LanguageServers {
  const { computer, environment, clock = systemClock } = options;
  const place = {
    roots: computer.roots,
    repositories: computer.variables.repository ?? [],
    searchPath: (environment ?? process.env).PATH,
  };
  const context = {
    computer,
    clock,
    limits: { ...usualLimits, ...options.limits },
    searchPath: environment?.PATH,
  };
  // Ordered by last use.
  const slots = new Map<string, ServerSlot>();

  const takeSlot = (key: string): ServerSlot => {
    const slot = slots.get(key) ?? createServerSlot(context);
    slots.delete(key);
    slots.set(key, slot);
    const running = [...slots.values()].filter(({ isRunning }) => isRunning);
    const surplus = running.length + (slot.isRunning ? 0 : 1) - maxRunning;
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
