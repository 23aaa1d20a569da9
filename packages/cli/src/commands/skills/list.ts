import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { findSkills, warnOfSkills } from "./find-skills.ts";

/** `haft skills list` */
export async function listSkills(input: CommandInput, io: Io): Promise<number> {
  const found = findSkills(input, io);
  const list = found.list();
  warnOfSkills(found, io);
  if (input.options.json === true) {
    printJson(list, io);
    return 0;
  }
  if (list.length === 0)
    io.out("No skills found. `haft skills --help` lists the directories that are searched.\n");
  const width = Math.max(0, ...list.map(({ name }) => name.length));
  for (const { name, description, directory } of list) {
    io.out(`${toVisibleLine(name).padEnd(width)}  ${toVisibleLine(description)}\n`);
    io.out(`${" ".repeat(width)}  ${toVisibleLine(directory)}\n`);
  }
  return 0;
}
