import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { findSkills, warnOfSkills } from "./find-skills.ts";

/** `haft skills list`: every skill that an agent can load. */
export async function listSkills(input: CommandInput, io: Io): Promise<number> {
  const [extra] = input.positionals;
  if (extra !== undefined) throw new UsageError(`What is ${JSON.stringify(extra)}?`);
  const found = findSkills(input, io);
  const list = found.list();
  warnOfSkills(found, io);
  if (input.options.json === true) {
    printJson(list, io);
    return 0;
  }
  if (list.length === 0) io.out("No skills. haft skills --help says where they are looked for.\n");
  const width = Math.max(0, ...list.map(({ name }) => name.length));
  for (const { name, description, directory } of list) {
    io.out(`${toVisibleLine(name).padEnd(width)}  ${toVisibleLine(description)}\n`);
    io.out(`${" ".repeat(width)}  ${toVisibleLine(directory)}\n`);
  }
  return 0;
}
