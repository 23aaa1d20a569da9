import { type ProgramEntry, parseEntry } from "./program-entry.ts";
import type { ProgramTable } from "./program-table.ts";
import { programTables } from "./program-tables.ts";
import { wrapperTable } from "./wrapper-table.ts";

/** A program or a subcommand, with its subcommands. */
export interface IndexedProgram {
  readonly entry: ProgramEntry;
  readonly subcommands: ReadonlyMap<string, IndexedProgram> | undefined;
}

/** Finds a program by its bare name. */
export function findProgram(name: string): IndexedProgram | undefined {
  programs ??= indexTables(programTables);
  return programs.get(name);
}

/** Finds how a program runs the command after it, if it does. */
export function findWrapper(name: string): ProgramEntry | undefined {
  wrappers ??= indexTables([wrapperTable]);
  return wrappers.get(name)?.entry;
}

let programs: ReadonlyMap<string, IndexedProgram> | undefined;
let wrappers: ReadonlyMap<string, IndexedProgram> | undefined;

// A line is parsed on first use.
function indexTables(tables: readonly ProgramTable[]): ReadonlyMap<string, IndexedProgram> {
  const index = new Map<string, Indexed>();
  for (const table of tables) {
    for (const [key, line] of Object.entries(table)) {
      const names = key.split(" ");
      const last = names.pop() ?? "";
      let into = index;
      for (const name of names) into = place(into, name).children();
      for (const name of last.split("|")) place(into, name).line = line;
    }
  }
  return index;
}

function place(index: Map<string, Indexed>, name: string): Indexed {
  const found = index.get(name) ?? new Indexed();
  index.set(name, found);
  return found;
}

class Indexed implements IndexedProgram {
  line = "";
  subcommands: Map<string, Indexed> | undefined;
  #entry: ProgramEntry | undefined;

  get entry(): ProgramEntry {
    this.#entry ??= parseEntry(this.line);
    return this.#entry;
  }

  children(): Map<string, Indexed> {
    this.subcommands ??= new Map();
    return this.subcommands;
  }
}
