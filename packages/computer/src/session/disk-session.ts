import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionStorage } from "@haft/core";
import { findLanding } from "../disk/landing.ts";
import type { Pinning } from "../disk/pin.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import type { ProjectTrust } from "../trust/project-trust.ts";
import { createDiskJournal } from "./disk-journal.ts";
import { createDiskSidecars } from "./disk-sidecars.ts";
import { createDiskState } from "./disk-state.ts";
import { openPendingList } from "./pending-changes.ts";
import { recoverChanges } from "./recover-changes.ts";
import { openRuleFile } from "./rule-file.ts";
import { locateSession, locateWorkspace, type SessionOrigin } from "./session-directory.ts";
import { requireSessionName } from "./session-name.ts";

/** A session that is stored on disk. */
export interface DiskSession extends SessionStorage {
  /** Its directory, which may not exist yet. */
  readonly directory: string;
  /** Makes the session visible to `listSessions`, even if nothing was stored in it. */
  touch(): void;
}

/** Where a session is stored, and how. */
export interface DiskSessionOrigin extends SessionOrigin {
  readonly pinning: Pinning;
  /** Which of the workspace's own files take effect. */
  readonly trust: ProjectTrust;
  /** Whether to wait until the journal is flushed to disk. */
  readonly flush: boolean;
  /** Ends the processes of the session, before the session ends. */
  onClose?(): Promise<void>;
  /** Maximum number of bytes of old contents that the journal keeps. Default: 1 GB. */
  readonly maxJournalBytes?: number;
}

const maxJournalBytes = 1024 * 1024 * 1024;

/** Opens the session of this name. Nothing is written until there is something to store. */
export function openDiskSession(name: string, origin: DiskSessionOrigin): DiskSession {
  requireSessionName(name);
  const directory = locateSession(name, origin);
  const pending = openPendingList(join(locateWorkspace(origin), ".pending"));
  const recover = (): void => recoverChanges(pending, origin);
  recover();
  const sidecars = createDiskSidecars(directory);
  const rules = {
    session: openRuleFile(join(directory.path, "rules"), "user"),
    project: openRuleFile(join(origin.root, ".haft", "rules"), origin),
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
      maxBytes: origin.maxJournalBytes ?? maxJournalBytes,
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
