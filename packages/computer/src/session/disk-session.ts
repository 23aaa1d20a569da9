import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionStorage } from "@haft/core";
import { findLanding } from "../disk/landing.ts";
import type { Pinning } from "../disk/pin.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import { createDiskJournal } from "./disk-journal.ts";
import { createDiskSidecars } from "./disk-sidecars.ts";
import { createDiskState } from "./disk-state.ts";
import { openPendingList } from "./pending-changes.ts";
import { recoverChanges } from "./recover-changes.ts";
import { openRuleFile } from "./rule-file.ts";
import { locateSession, locateWorkspace, type SessionOrigin } from "./session-directory.ts";
import { requireSessionName } from "./session-name.ts";

/** A session that is kept on disk. */
export interface DiskSession extends SessionStorage {
  /** Where it is kept; it need not exist yet. */
  readonly directory: string;
  /** Makes the session visible to `listSessions`, also if nothing was stored in it. */
  touch(): void;
}

/** Where a session is, and how it keeps things. */
export interface DiskSessionOrigin extends SessionOrigin {
  readonly pinning: Pinning;
  /** Whether to wait until the disk has what the journal is told. */
  readonly flush: boolean;
  /** Ends what runs for the session, before the session ends. */
  onClose?(): Promise<void>;
  /** How many bytes of old contents the journal keeps; 1 GB unless said. */
  readonly mostJournalBytes?: number;
}

const mostJournalBytes = 1024 * 1024 * 1024;

/** Opens the session of this name. Nothing is written before there is something to keep. */
export function openDiskSession(name: string, origin: DiskSessionOrigin): DiskSession {
  requireSessionName(name);
  const directory = locateSession(name, origin);
  const pending = openPendingList(join(locateWorkspace(origin), ".pending"));
  const recover = (): void => recoverChanges(pending, origin);
  recover();
  const sidecars = createDiskSidecars(directory);
  const rules = {
    session: openRuleFile(join(directory.path, "rules"), { isPrivate: true }),
    project: openRuleFile(join(origin.root, ".haft", "rules"), { isPrivate: false }),
  };
  return {
    id: directory.id,
    name,
    directory: directory.path,
    touch: directory.touch,
    state: createDiskState(directory),
    sidecars,
    journal: createDiskJournal({
      session: directory,
      pending,
      recover,
      flush: origin.flush,
      mostBytes: origin.mostJournalBytes ?? mostJournalBytes,
      namesOf: (path) => {
        const absolute = resolvePath(path, { base: origin.root, home: undefined });
        return [absolute, findLanding(absolute)];
      },
    }),
    rules: {
      list: (scope) => rules[scope].list(),
      add: async (scope, rule) => {
        if (scope === "session") directory.touch();
        rules[scope].add(rule);
      },
      remove: async (scope, rule) => rules[scope].remove(rule),
    },
    close: async () => {
      await origin.onClose?.();
      await rm(sidecars.directory, { recursive: true, force: true });
    },
  };
}
