import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "@haft/contract";
import type { FetchPlace } from "./fetch-place.ts";
import { fetchRepository } from "./fetch-repository.ts";
import { findPackage, readVersion } from "./find-package.ts";
import { installDependencies } from "./install-dependencies.ts";
import { installPackage } from "./install-package.ts";
import { type PackageSource, parseModuleSource, type RepositorySource } from "./module-source.ts";

/** Which module is looked for, and from where. */
export interface SoughtModule {
  readonly module: string;
  readonly source?: string | undefined;
  /** The plan's: paths and packages are looked for from here. */
  readonly directory: string;
}

/** The directory or file of a module, fetched if need be. */
export async function findModule(sought: SoughtModule, place: FetchPlace): Promise<string> {
  const { module, source: text, directory } = sought;
  if (text === undefined) return findInstalled(module, directory);
  const source = parseModuleSource(text, directory);
  switch (source.type) {
    case "path":
      return requirePath(source.path);
    case "package":
      return findOrInstall(source, directory, place);
    case "repository":
      return findInRepository(source, place);
  }
}

async function findInRepository(source: RepositorySource, place: FetchPlace): Promise<string> {
  const found = requirePath(resolve(await fetchRepository(source, place), source.subdirectory));
  await installDependencies(found, place);
  return found;
}

function findInstalled(module: string, directory: string): string {
  const found = isPackageName(module) ? findPackage(module, directory) : undefined;
  if (found !== undefined) return found;
  throw new ToolError(
    "not-found",
    `It is neither one of Haft's own modules nor in a node_modules above ${directory}. Say where it is: source: ./${module}`,
  );
}

async function findOrInstall(
  source: PackageSource,
  directory: string,
  place: FetchPlace,
): Promise<string> {
  const installed = findPackage(source.name, directory);
  const fits = source.version === undefined || source.version === readVersion(installed ?? "");
  if (installed !== undefined && fits) return installed;
  // Whoever has a directory of that name beside the plan does not mean a stranger's package.
  const beside = resolve(directory, source.name);
  if (source.version === undefined && statSync(beside, { throwIfNoEntry: false })?.isDirectory()) {
    return requirePath(beside);
  }
  return installPackage(source, place);
}

function requirePath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new ToolError(
      "not-found",
      `There is nothing at ${path}. Sources are relative to the plan.`,
    );
  }
}

function isPackageName(name: string): boolean {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/u.test(name);
}
