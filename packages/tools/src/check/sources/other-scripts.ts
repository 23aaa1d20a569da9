import type { CheckWay } from "../found-check.ts";
import type { Project } from "../project.ts";
import { readJson, textsOf } from "./read-json.ts";
import { chooseScripts } from "./script-names.ts";

/** Finds the scripts in composer.json. */
export async function findComposerScripts(project: Project): Promise<CheckWay[]> {
  const { scripts } = readJson(await project.read("composer.json"));
  return toWays(textsOf(scripts), {
    saidBy: "composer.json",
    program: "composer",
    args: "run-script",
  });
}

/** Finds the tasks in deno.json. */
export async function findDenoTasks(project: Project): Promise<CheckWay[]> {
  const file = ["deno.json", "deno.jsonc"].find((name) => project.names.has(name));
  if (file === undefined) return [];
  const { tasks } = readJson(await project.read(file));
  return toWays(textsOf(tasks), { saidBy: file, program: "deno", args: "task" });
}

/** Finds the targets of a makefile. */
export async function findMakeTargets(project: Project): Promise<CheckWay[]> {
  const file = ["GNUmakefile", "makefile", "Makefile"].find((name) => project.names.has(name));
  if (file === undefined) return [];
  const targets = findNames(await project.read(file), /^([A-Za-z][^:#=\n]*?)\s*::?(?!=)/gmu);
  // In makefiles, "check" traditionally runs the tests.
  if (targets.has("check") && !targets.has("test")) targets.set("check", "test");
  return toWays(targets, { saidBy: file, program: "make", args: "" });
}

/** Finds the recipes of a justfile. */
export async function findJustRecipes(project: Project): Promise<CheckWay[]> {
  const file = ["justfile", "Justfile", ".justfile"].find((name) => project.names.has(name));
  if (file === undefined) return [];
  const recipes = findNames(
    await project.read(file),
    /^@?([A-Za-z][\w-]*)(?:[ \t]+[^:=\n]*)?:(?!=)/gmu,
  );
  return toWays(recipes, { saidBy: file, program: "just", args: "" });
}

function toWays(
  scripts: ReadonlyMap<string, string>,
  by: Pick<CheckWay, "saidBy" | "program" | "args">,
): CheckWay[] {
  return chooseScripts(scripts).map(({ kind, name }) => ({
    ...by,
    kind,
    args: `${by.args} ${name}`.trim(),
  }));
}

// A rule of make may have several targets.
function findNames(text: string, pattern: RegExp): Map<string, string> {
  const names = Array.from(text.matchAll(pattern), ([, found = ""]) => found.split(/\s+/u));
  return new Map(names.flat().map((name) => [name, ""]));
}
