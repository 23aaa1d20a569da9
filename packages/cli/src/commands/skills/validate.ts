import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type SkillReport, validateSkill } from "@haft/agent/internal/skills";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { findSkills } from "./find-skills.ts";

interface Row extends SkillReport {
  readonly directory: string;
  readonly valid: boolean;
}

/** `haft skills validate` */
export async function validateSkills(input: CommandInput, io: Io): Promise<number> {
  const given = input.positionals.map((path) => resolve(io.directory, path));
  const directories =
    given.length === 0 ? findSkills(input, io).folders : given.flatMap(listFoldersOf);
  const rows = directories.map((directory): Row => {
    const report = validateSkill(directory);
    return { directory, valid: report.errors.length === 0, ...report };
  });
  if (input.options.json === true) printJson(rows, io);
  else if (rows.length === 0) io.out("No skills found. Name the folder of one.\n");
  else show(rows, io);
  return rows.every(({ valid }) => valid) ? 0 : 1;
}

// A directory that contains skills stands for all of them.
function listFoldersOf(directory: string): readonly string[] {
  const isSkill = (folder: string): boolean => existsSync(join(folder, "SKILL.md"));
  if (isSkill(directory)) return [directory];
  try {
    const folders = readdirSync(directory)
      .sort()
      .map((name) => join(directory, name));
    const skills = folders.filter(isSkill);
    return skills.length > 0 ? skills : [directory];
  } catch {
    // `validateSkill` reports what is wrong with it.
    return [directory];
  }
}

function show(rows: readonly Row[], io: Io): void {
  const print = (line: string): void => io.out(`${toVisibleLine(line)}\n`);
  for (const { directory, valid, errors, warnings } of rows) {
    print(`${valid ? "ok     " : "invalid"}  ${directory}`);
    for (const error of errors) print(`         error: ${error}`);
    for (const warning of warnings) print(`         warning: ${warning}`);
  }
}
