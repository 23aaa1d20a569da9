import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SessionStorage } from "@haft/core";
import { createDiskJournal } from "./disk-journal.ts";
import { createDiskSidecars } from "./disk-sidecars.ts";
import { createDiskState } from "./disk-state.ts";
import { openRuleFile } from "./rule-file.ts";
import { locateSession, type SessionOrigin } from "./session-directory.ts";
import { requireSessionName } from "./session-name.ts";

/** A session that is kept on disk. */
export interface DiskSession extends SessionStorage {
  /** Where it is kept; it need not exist yet. */
  readonly directory: string;
  /** Makes the session visible to `listSessions`, also if nothing was stored in it. */
  touch(): void;
}

/** Opens the session of this name. Nothing is written before there is something to keep. */
export function openDiskSession(name: string, origin: SessionOrigin): DiskSession {
  requireSessionName(name);
  const directory = locateSession(name, origin);
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
    journal: createDiskJournal(directory),
    rules: {
      list: (scope) => rules[scope].list(),
      add: async (scope, rule) => {
        if (scope === "session") directory.touch();
        rules[scope].add(rule);
      },
    },
    close: async () => {
      await rm(sidecars.directory, { recursive: true, force: true });
    },
  };
}
