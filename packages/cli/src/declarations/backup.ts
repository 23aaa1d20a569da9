import type { Command } from "../command.ts";
import { jsonOption, storeOptions } from "./option-groups.ts";

/** `haft backup` */
export const backup: Command = {
  details: `
The platform may be running. The file contains the database, the repositories, credentials.json and
master.key: anyone who has it can read every secret. Its mode lets only you read it; protect it like
the key. Back up a platform that uses PostgreSQL with pg_dump instead.`,
  arguments: [{ name: "FILE", description: "File to write", completes: "file" }],
  options: {
    ...(storeOptions.options.data && { data: storeOptions.options.data }),
    "without-key": {
      description: "Leave master.key out. Keep it elsewhere, or the secrets are lost",
    },
    force: { description: "Replace FILE if it exists" },
    ...jsonOption,
  },
  examples: [
    "haft backup platform.tar",
    "haft backup /backups/haft.tar --data /var/lib/haft --force",
    "haft restore platform.tar --data ./restored",
  ],
  load: async () => (await import("../commands/backup.ts")).writeBackup,
};

/** `haft restore` */
export const restore: Command = {
  details: "The whole file is checked first. If something is wrong with it, nothing is changed.",
  arguments: [{ name: "FILE", description: "File that haft backup wrote", completes: "file" }],
  options: {
    data: {
      value: "DIR",
      // No default: a platform's usual directory is never overwritten by accident.
      description: "Where to restore to: a directory that is empty or does not exist yet",
      required: true,
      completes: "directory",
    },
    force: {
      description:
        "Move what is in DIR into DIR/replaced-… first. No platform may be running on it",
    },
    ...jsonOption,
  },
  examples: ["haft restore platform.tar --data ./restored", "haft serve --data ./restored"],
  load: async () => (await import("../commands/restore.ts")).restoreBackup,
};
