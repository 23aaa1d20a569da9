import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ToolError } from "@haft/contract";
import type { FetchOptions } from "./fetch-options.ts";
import { fetchRepository } from "./fetch-repository.ts";
import { findPackage, readVersion } from "./find-package.ts";
import { installDependencies } from "./install-dependencies.ts";
import { installPackage } from "./install-package.ts";
import { type PackageSource, parseModuleSource, type RepositorySource } from "./module-source.ts";

/** A module to find. */
export interface ModuleQuery {
  readonly module: string;
  readonly source?: string | undefined;
  /** The plan's directory. Paths and packages are resolved from here. */
  readonly directory: string;
}

/** Returns the directory or file of a module and fetches it if needed. */
export async function findModule(query: ModuleQuery, options: FetchOptions): Promise<string> {
  const { module, source: text, directory } = query;
  if (text === undefined) return findInstalled(module, directory);
  const source = parseModuleSource(text, directory);
  switch (source.type) {
    case "path":
      return requirePath(source.path);
    case "package":
      return findOrInstall(source, directory, options);
    case "repository":
      return findInRepository(source, options);
  }
}

async function findInRepository(source: RepositorySource, options: FetchOptions): Promise<string> {
  const found = requirePath(resolve(await fetchRepository(source, options), source.subdirectory));
  await installDependencies(found, options);
  return found;
}

function findInstalled(module: string, directory: string): string {
  const found = isPackageName(module) ? findPackage(module, directory) : undefined;
  if (found !== undefined) return found;
  throw new ToolError(
    "not-found",
    `It is neither one of Haft's own modules nor a package in node_modules above ${directory}. Add its source, such as source: ./${module}`,
  );
}

async function findOrInstall(
  source: PackageSource,
  directory: string,
  options: FetchOptions,
): Promise<string> {
  const installed = findPackage(source.name, directory);
  const fits = source.version === undefined || source.version === readVersion(installed ?? "");
  if (installed !== undefined && fits) return installed;
  // A directory of that name beside the plan takes precedence over a package on npm.
  const beside = resolve(directory, source.name);
  if (source.version === undefined && statSync(beside, { throwIfNoEntry: false })?.isDirectory()) {
    return requirePath(beside);
  }
  return installPackage(source, options);
}

function requirePath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new ToolError("not-found", `${path} does not exist. Paths are relative to the plan.`);
  }
}

function isPackageName(name: string): boolean {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*$/u.test(name);
}

/** Returns the path of a module on this machine, or `undefined` if it is missing or would be fetched. */
export function findLocalModule({ module, source, directory }: ModuleQuery): string | undefined {
  try {
    if (source === undefined) return findPackage(module, directory);
    const parsed = parseModuleSource(source, directory);
    if (parsed.type === "path") return realpathSync(parsed.path);
    if (parsed.type === "repository") return undefined;
    const beside = resolve(directory, parsed.name);
    const isBeside = statSync(beside, { throwIfNoEntry: false })?.isDirectory() === true;
    return findPackage(parsed.name, directory) ?? (isBeside ? realpathSync(beside) : undefined);
  } catch {
    // What can't be used is said when it is mounted.
    return undefined;
  }
}
