import type { WatchdogCall } from "../watchdog.ts";

/** Where a path lies, seen from the workspace. */
export type Place = "inside" | "workspace" | "repository" | "temporary" | "outside";

/** What is known of where a call runs. */
export type Surroundings = Pick<WatchdogCall, "roots" | "home">;

/** A path in full, or `undefined` if that is not known. Nothing is looked up. */
export function toFullPath(
  word: string | undefined,
  cwd: string | undefined,
  { home }: Surroundings,
): string | undefined {
  if (word === undefined || word === "") return undefined;
  if (word === "~" || word.startsWith("~/")) {
    return home === undefined ? undefined : normalise(home + word.slice(1));
  }
  if (word.startsWith("/")) return normalise(word);
  return cwd === undefined ? undefined : normalise(`${cwd}/${word}`);
}

/** Where a full path lies. What holds a root is outside: whoever takes it takes the root too. */
export function placeOf(path: string, { roots }: Surroundings): Place {
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
