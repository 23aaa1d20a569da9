import type { CommandEffect } from "../commands/command-reading.ts";
import type { Call } from "../path/call.ts";

/** What a call touches, as far as it is known before it runs. */
export interface CallUse {
  readonly type: "file" | "host" | "command" | "name";
  /** The path, host, command or name. */
  readonly key: string;
  readonly mode: "read" | "write";
  /** For a command: what its programs are known to do. */
  readonly effects: readonly CommandEffect[];
}

/** Lists what an understood call touches. The commands of a command line appear one by one. */
export function listUses({ subjects }: Pick<Call, "subjects">): CallUse[] {
  return subjects.flatMap(({ type, key, mode, reading }): CallUse[] => {
    if (reading === undefined || reading.commands.length === 0) {
      return [{ type, key, mode, effects: [] }];
    }
    return [
      ...reading.commands.map(({ words, effects }): CallUse => {
        const line = words.map((word) => word ?? "…").join(" ");
        return { type: "command", key: line, mode, effects };
      }),
      ...reading.writes.map(
        ({ path }): CallUse => ({ type: "file", key: path ?? "…", mode: "write", effects: [] }),
      ),
    ];
  });
}
