import type { Command } from "../command.ts";
import { commonWithout } from "./option-groups.ts";

/** `haft undo` */
export const undo: Command = {
  details: `
Undoes everything that the last changing call of the session did, commands included, or the last change
of PATH. Changes of earlier days count too. Run it again to undo the change before, or give --to to undo
everything since a call, or --call to undo only that call, all or nothing. Edits that you made since are
kept; if that is not possible, nothing is changed and the reason is printed. haft redo reverts it. Same
as haft call undo_edit.`,
  arguments: [
    {
      name: "PATH",
      description: "File whose last change to undo. Default: all files of the last changing call",
      optional: true,
      completes: "file",
    },
  ],
  options: {
    list: { description: "Undo nothing. List the calls that can be undone, newest first" },
    to: { value: "CALL", description: "Undo this call and all later ones. --list shows the IDs" },
    call: { value: "CALL", description: "Undo only this call. Later changes are kept" },
  },
  groups: [commonWithout("dialect")],
  examples: [
    "haft undo",
    "haft undo src/index.ts",
    "haft undo --list --session review",
    "haft undo --to 3f9c02ab",
    "haft undo --call 3f9c02ab",
  ],
  load: async () => (await import("../commands/undo.ts")).undoChange,
};

/** `haft redo` */
export const redo: Command = {
  details: `
Reverts the last haft undo, /undo or undo_edit of the session: what it undid is in place again. Run it
again to revert the undo before. Edits that you made since are kept; if that is not possible, nothing is
changed and the reason is printed.`,
  arguments: [],
  groups: [commonWithout("dialect")],
  examples: ["haft redo", "haft redo --session review"],
  load: async () => (await import("../commands/undo.ts")).redoChange,
};

/** `haft diff` */
export const diff: Command = {
  details: `
Prints what the session changed and did not undo, commands included, as a unified diff: what was there
before against what is there now. Your own edits of the same files are part of it.`,
  arguments: [],
  options: {
    since: {
      value: "CALL",
      description: "Only this call and later ones. haft undo --list shows the IDs",
    },
    stat: { description: "Print one line per path instead" },
  },
  groups: [commonWithout("dialect")],
  examples: ["haft diff", "haft diff --stat", "haft diff --since 3f9c02ab --json"],
  load: async () => (await import("../commands/diff.ts")).showChanges,
};
