import type { CheckWay } from "../found-check.ts";
import type { Project } from "../project.ts";
import { readJson, textsOf } from "./read-json.ts";
import { chooseScripts } from "./script-names.ts";

const lockFiles: readonly (readonly [file: string, manager: string])[] = [
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

/** Finds the scripts in package.json, run with the package manager of the project. */
export async function findPackageScripts(project: Project): Promise<CheckWay[]> {
  const manifest = readJson(await project.read("package.json"));
  const chosen = chooseScripts(textsOf(manifest.scripts));
  if (chosen.length === 0) return [];
  const manager = await findManager(manifest.packageManager, project);
  return chosen.map(({ kind, name }) => ({
    kind,
    saidBy: "package.json",
    program: manager,
    args: `run ${name}`,
    // Without it, many test runners watch for changes.
    ...(kind === "test" && { before: "CI=true " }),
  }));
}

async function findManager(stated: unknown, project: Project): Promise<string> {
  const named =
    typeof stated === "string" ? /^(?:npm|pnpm|yarn|bun)(?=@|$)/u.exec(stated)?.[0] : undefined;
  const manager = named ?? (await findByLockFile(project)) ?? "npm";
  // npm can run the scripts of any project, and comes with Node.
  return (await project.findProgram(manager)) === undefined ? "npm" : manager;
}

async function findByLockFile(project: Project): Promise<string | undefined> {
  for (const [file, manager] of lockFiles) {
    if (await project.hasAbove(file)) return manager;
  }
  return undefined;
}
