import type { CallFacts } from "../reading/call-facts.ts";
import { type Deletion, findDeletions } from "../reading/deletions.ts";
import { locatePath, toFullPath } from "../reading/locate-path.ts";
import type { WatchdogCall, WatchdogVerdict } from "../watchdog.ts";
import { ask, deny, strictest, type WatchdogRule } from "../watchdog-rule.ts";

/** Detects deletion of the workspace, its history, paths outside it, or unknown paths. */
export const destructiveDelete: WatchdogRule = ({ call, lines }: CallFacts) =>
  strictest(
    lines.flatMap((line) =>
      findDeletions(line).flatMap((deletion) =>
        deletion.targets.map((target) => judgeTarget(target, deletion, { call, text: line.text })),
      ),
    ),
  );

function judgeTarget(
  target: string | undefined,
  { program, cwd, isDeep, isChosen = false }: Deletion,
  { call, text }: { readonly call: WatchdogCall; readonly text: string },
): WatchdogVerdict | undefined {
  if (program === "rsync" && target !== undefined && /^[^/]+:/u.test(target)) {
    return ask(`rsync deletes at ${target} what is not here`);
  }
  const path = toFullPath(target, cwd, call);
  if (path === undefined) {
    if (!isDeep) return undefined;
    return wholeHome.test(text)
      ? deny(outside(program, "the home directory", call))
      : ask(`${program} deletes with everything below it what can't be told before it runs`);
  }
  switch (locatePath(path, call)) {
    case "outside":
      return isDeep
        ? deny(outside(program, path, call))
        : ask(`${program} changes ${path}, which lies outside the workspace`);
    case "workspace":
      return isDeep && !isChosen
        ? ask(`${program} deletes everything in the workspace ${path}`)
        : undefined;
    case "repository":
      return isDeep && isRepository(path)
        ? ask(`${program} deletes ${path}, and with it the history`)
        : undefined;
    default:
      return undefined;
  }
}

const wholeHome = /\$\{?HOME\b|~(?:\/?(?:[\s"';&|]|$))/u;

// A stale lock file is not history.
function isRepository(path: string): boolean {
  return /\/\.git(?:\/(?:objects|refs|logs|packed-refs|HEAD)(?:\/|$)|$)/u.test(path);
}

function outside(program: string, path: string, { roots }: WatchdogCall): string {
  return `This has a destructive shape: ${program} would delete ${path} with everything below it, which lies outside the workspace. Delete only below ${roots.join(", ")}.`;
}
