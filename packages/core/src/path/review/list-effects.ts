import { escapeGlob, isInside } from "@haft/contract/internal";
import type { LayerEffect } from "../../computer.ts";
import type { AskedChange } from "../../hosts/host.ts";
import { relativeToRoots } from "../../rules/propose-rules.ts";
import type { Rule } from "../../rules/rule.ts";

const maxListed = 100;
const maxDiffLength = 20_000;
const maxCompared = 200;
const maxLiteralRules = 4;
const maxRules = 12;

/**
 * Lists changes for a person, in the order of the layer. Many changes are shown by the outermost
 * directory that comes or goes with everything in it, and those of git's own files by its directory.
 */
export function listEffects(
  effects: readonly LayerEffect[],
  roots: readonly string[],
): readonly AskedChange[] {
  const ofGit = Map.groupBy(listFiles(effects), ({ path }) => findGitDirectory(path));
  ofGit.delete(undefined);
  const others = effects.filter(({ path }) => !ofGit.has(findGitDirectory(`${path}/`)));
  const repositories = [...ofGit].map(
    ([directory = "", files]): AskedChange => ({
      path: relativeToRoots(directory, roots),
      kind: "modified",
      files: files.length,
    }),
  );
  return [...listOthers(others, roots), ...repositories.slice(0, maxListed)];
}

function findGitDirectory(path: string): string | undefined {
  return /^.*?\/\.git(?=\/)/u.exec(path)?.[0];
}

function listOthers(
  effects: readonly LayerEffect[],
  roots: readonly string[],
): readonly AskedChange[] {
  const toChange = ({ path, kind }: LayerEffect, files?: number): AskedChange => ({
    path: relativeToRoots(path, roots),
    kind,
    ...(files !== undefined && { files }),
  });
  const single = listFiles(effects);
  if (single.length <= maxListed) return single.map((effect) => toChange(effect));
  const outer: { readonly effect: LayerEffect; files: number }[] = [];
  for (const effect of effects) {
    const last = outer.at(-1);
    const isInner =
      last?.effect.isDirectory === true &&
      last.effect.kind === effect.kind &&
      effect.path.startsWith(`${last.effect.path}/`);
    if (isInner) last.files += effect.isDirectory ? 0 : 1;
    else outer.push({ effect, files: 0 });
  }
  return outer
    .slice(0, maxListed)
    .map(({ effect, files }) => toChange(effect, effect.isDirectory ? files : undefined));
}

/** The changes without directories in which something else of the same kind is listed. */
export function listFiles(effects: readonly LayerEffect[]): readonly LayerEffect[] {
  const parents = new Set(effects.map(({ kind, path }) => `${kind} ${parentOf(path)}`));
  return effects.filter(({ isDirectory, kind, path }) => {
    return !isDirectory || kind === "mode" || !parents.has(`${kind} ${path}`);
  });
}

/** Joins the diffs of changes, cut to a readable length. */
export function joinDiffs(effects: readonly LayerEffect[], roots: readonly string[]): string {
  let text = "";
  let left = 0;
  for (const [index, effect] of effects.filter(({ isDirectory }) => !isDirectory).entries()) {
    const isOver = left > 0 || index >= maxCompared;
    const diff = isOver ? undefined : effect.diff(relativeToRoots(effect.path, roots));
    if (diff !== undefined && text.length + diff.length <= maxDiffLength) text += diff;
    else if (diff !== undefined || isOver) left++;
  }
  return left === 0 ? text : `${text}(and ${left} more changed files)\n`;
}

/** Returns rules that allow these changes: each path, or the directories of many. */
export function proposeForEffects(
  effects: readonly LayerEffect[],
  roots: readonly string[],
): readonly Rule[] {
  const paths = [...new Set(effects.map(({ path }) => path))];
  const files = [...new Set(listFiles(effects).map(({ path }) => path))];
  const directories = files.length <= maxLiteralRules ? [] : findDirectories(files, roots);
  const isCovered = (path: string): boolean =>
    directories.some((directory) => path.startsWith(`${directory}/`));
  const toPattern = (path: string): string => escapeGlob(relativeToRoots(path, roots));
  const patterns = [
    // A new directory is not covered by the pattern for what is in it.
    ...paths.filter((path) => !isCovered(path)).map(toPattern),
    ...directories.map((directory) => `${toPattern(directory)}/**`),
  ];
  if (patterns.length > maxRules) return [];
  return patterns.map((pattern) => ({ permission: "fs.write", pattern, action: "allow" }));
}

/** Returns the directories with several of the files: for each directory in a root, the innermost. */
function findDirectories(files: readonly string[], roots: readonly string[]): readonly string[] {
  const groups = Map.groupBy(files, (path) => {
    const root = roots.find((each) => isInside(each, path)) ?? "";
    const end = path.indexOf("/", root.length + 1);
    return end === -1 ? path : path.slice(0, end);
  });
  return [...groups].flatMap(([top, group]) => {
    const inside = group.filter((path) => path !== top);
    return inside.length > 1 ? [inside.map(parentOf).reduce(commonDirectory)] : [];
  });
}

function commonDirectory(one: string, other: string): string {
  if (isInside(one, other)) return one;
  return commonDirectory(parentOf(one), other);
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
