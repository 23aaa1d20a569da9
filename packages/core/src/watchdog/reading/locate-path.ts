import type { WatchdogCall } from "../watchdog.ts";

/** Where a path lies, seen from the workspace. */
export type PathLocation = "inside" | "workspace" | "repository" | "temporary" | "outside";

/** What is known of where a call runs. */
export type PathContext = Pick<WatchdogCall, "roots" | "home">;

/** A path in full, or `undefined` if that is not known. Nothing is looked up. */
export function toFullPath(
  word: string | undefined,
  cwd: string | undefined,
  { home }: PathContext,
): string | undefined {
  if (word === undefined || word === "") return undefined;
  if (word === "~" || word.startsWith("~/")) {
    return home === undefined ? undefined : normalise(home + word.slice(1));
  }
  if (word.startsWith("/")) return normalise(word);
  return cwd === undefined ? undefined : normalise(`${cwd}/${word}`);
}

/** Locates an absolute path. A directory that contains a root is outside: removing it removes the root. */
export function locatePath(path: string, { roots }: PathContext): PathLocation {
  if (roots.includes(path)) return "workspace";
  const root = roots.find((each) => path.startsWith(each === "/" ? each : `${each}/`));
  if (root !== undefined) {
    return /^\/?\.git(?:\/|$)/u.test(path.slice(root.length)) ? "repository" : "inside";
  }
  const isTemporary = temporary.test(path) && !roots.some((each) => temporary.test(each));
  return isTemporary ? "temporary" : "outside";
}

// Below, not the place itself. Where workspaces are there too, others' are as well.
const temporary = /^(?:\/private)?(?:\/var)?\/tmp\/./u;

function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
