import { type CheckKind, checkKinds } from "./check-kind.ts";
import type { CheckWay, FoundCheck, SkippedCheck } from "./found-check.ts";
import type { Project } from "./project.ts";
import { findConventions } from "./sources/find-conventions.ts";
import {
  findComposerScripts,
  findDenoTasks,
  findJustRecipes,
  findMakeTargets,
} from "./sources/other-scripts.ts";
import { findPackageScripts } from "./sources/package-scripts.ts";

/** The checks of a project: those that can run, in order, and those that can't. */
export interface FoundChecks {
  readonly checks: readonly FoundCheck[];
  readonly skipped: readonly SkippedCheck[];
}

/**
 * Finds the checks of a project. Its manifest comes before a makefile, and both before conventions.
 * Each language of the project is treated separately.
 */
export async function findChecks(
  project: Project,
  kinds: readonly CheckKind[],
): Promise<FoundChecks> {
  const ways = await findWays(project);
  const checks: FoundCheck[] = [];
  const skipped: SkippedCheck[] = [];
  for (const kind of checkKinds.filter((each) => kinds.includes(each))) {
    for (const alternatives of ways.filter(([first]) => first?.kind === kind)) {
      const command = await findCommand(alternatives, project);
      if (command !== undefined) checks.push({ kind, command });
      else skipped.push({ kind, why: explainMissing(alternatives) });
    }
  }
  return { checks, skipped };
}

/** Several commands for the same check, best first. */
type Alternatives = readonly CheckWay[];

async function findWays(project: Project): Promise<Alternatives[]> {
  const scripts: readonly (readonly [language: string, ways: readonly CheckWay[]])[] = [
    ["JavaScript", await findPackageScripts(project)],
    ["PHP", await findComposerScripts(project)],
    ["Deno", await findDenoTasks(project)],
  ];
  const scripted = new Set(scripts.flatMap(([, ways]) => ways.map(({ kind }) => kind)));
  const recipes = [...(await findMakeTargets(project)), ...(await findJustRecipes(project))].filter(
    ({ kind }) => !scripted.has(kind),
  );
  const general = new Set(recipes.map(({ kind }) => kind));
  const usual = (await findConventions(project)).filter(
    ({ kind, language }) =>
      !general.has(kind) &&
      !scripts.some(([name, ways]) => name === language && ways.some((way) => way.kind === kind)),
  );
  return [
    ...scripts.flatMap(([, ways]) => ways.map((way) => [way])),
    ...Map.groupBy(recipes, ({ kind }) => kind).values(),
    ...Map.groupBy(usual, ({ kind, language }) => `${language} ${kind}`).values(),
  ];
}

/** Returns the command line of the first program that is installed. */
async function findCommand(
  alternatives: Alternatives,
  project: Project,
): Promise<string | undefined> {
  for (const { program, args, before = "", needs } of alternatives) {
    const path = await project.findProgram(program);
    if (path === undefined) continue;
    if (needs !== undefined && (await project.findProgram(needs)) === undefined) continue;
    return `${before}${path} ${args}`.trimEnd();
  }
  return undefined;
}

function explainMissing(alternatives: Alternatives): string {
  return alternatives
    .slice(0, 1)
    .map(({ saidBy, program, needs }) => {
      return `${saidBy} requires ${needs ?? program}, which is not installed.`;
    })
    .join("");
}
