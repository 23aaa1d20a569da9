import { isInside } from "@haft/contract/internal";
import { nameOf, parentOf } from "../paths/path-parts.ts";
import { readDirectoryRules } from "../search/directory-rules.ts";
import { IgnoreScope } from "../search/ignore-scope.ts";
import { isInRepository } from "../search/is-in-repository.ts";
import type { LayerChange } from "./read-layer.ts";

/** Changes, by whether version control would ignore them. */
export interface ChosenChanges {
  readonly untracked: readonly LayerChange[];
  readonly tracked: readonly LayerChange[];
}

/**
 * Separates caches and build output from all other changes: what the workspace's `.gitignore` files
 * name, and names that tools use for caches. What lies in a new directory is decided with it.
 */
export function chooseUntracked(
  changes: readonly LayerChange[],
  roots: readonly string[],
): ChosenChanges {
  const tests = new Map(roots.map((root) => [root, createTest(root)]));
  const untracked: LayerChange[] = [];
  const tracked: LayerChange[] = [];
  const left = new Set<string>();
  for (const change of changes) {
    const { path, kind, before, after } = change;
    const root = roots.find((each) => isInside(each, path)) ?? "/";
    const isDirectory = (after?.stats ?? before)?.isDirectory() ?? false;
    const isIgnored = !left.has(parentOf(path)) && tests.get(root)?.(path, isDirectory);
    if (isIgnored) untracked.push(change);
    else tracked.push(change);
    if (!isIgnored && kind === "created" && isDirectory) left.add(path);
  }
  return { untracked, tracked };
}

const cacheName =
  /^(?:node_modules|__pycache__|\.(?:eslint|stylelint|prettier)cache|\.(?:pytest|mypy|ruff|phpunit\.result)[._]?cache|\.(?:turbo|gradle|tox|nox|hypothesis)|.+\.(?:tsbuildinfo|pyc))$/u;

const ruleNames: ReadonlySet<string> = new Set([".gitignore", ".git", ".jj"]);

function createTest(root: string): (path: string, isDirectory: boolean) => boolean {
  const scopes = new Map<string, IgnoreScope | "ignored">();
  const enter = (directory: string, outer: IgnoreScope): IgnoreScope =>
    outer.enter(directory, readDirectoryRules(directory, ruleNames, outer).rules);
  const scopeOf = (directory: string): IgnoreScope | "ignored" => {
    const known = scopes.get(directory);
    if (known !== undefined) return known;
    const found = findScope(directory);
    scopes.set(directory, found);
    return found;
  };
  const findScope = (directory: string): IgnoreScope | "ignored" => {
    if (directory === "/") {
      const start = { base: root, honorsRepositories: isInRepository(root) };
      return enter("/", IgnoreScope.outermost(undefined, start));
    }
    const outer = scopeOf(parentOf(directory));
    if (outer === "ignored") return outer;
    // What lies above the workspace does not matter, only its rules.
    const isOutside = isInside(directory, root);
    return !isOutside && isNamed(directory, outer, true) ? "ignored" : enter(directory, outer);
  };
  return (path, isDirectory) => {
    const scope = scopeOf(parentOf(path));
    return scope === "ignored" || isNamed(path, scope, isDirectory);
  };
}

function isNamed(path: string, scope: IgnoreScope, isDirectory: boolean): boolean {
  const name = nameOf(path);
  const verdict = scope.judgeIn(parentOf(path))?.(name, isDirectory);
  return verdict === "ignore" || (verdict === undefined && cacheName.test(name));
}
