import { ToolError } from "@haft/contract";

/** What paths are resolved against. */
export interface PathOrigin {
  /** Where relative paths start; absolute and normalised. */
  readonly base: string;
  /** What `~` stands for. */
  readonly home: string | undefined;
  /** Spellings of a root that go through links, each with the root it leads to. */
  readonly aliases?: readonly PathAlias[];
}

/** Another spelling of a directory. */
export interface PathAlias {
  readonly from: string;
  readonly to: string;
}

/** The absolute form of a path: `~`, `.` and `..` are resolved, nothing is looked up. */
export function resolvePath(path: string, origin: PathOrigin): string {
  if (path.includes("\0")) {
    throw new ToolError(
      "invalid-arguments",
      `${JSON.stringify(path)} is not a valid path: it contains a NUL character. Remove it.`,
    );
  }
  const expanded = expandHome(path, origin.home);
  const absolute = normalize(expanded.startsWith("/") ? expanded : `${origin.base}/${expanded}`);
  for (const { from, to } of origin.aliases ?? []) {
    if (absolute === from) return to;
    if (absolute.startsWith(`${from}/`)) return `${to}${absolute.slice(from.length)}`;
  }
  return absolute;
}

function expandHome(path: string, home: string | undefined): string {
  if (path !== "~" && !path.startsWith("~/")) return path;
  if (home === undefined) {
    throw new ToolError(
      "invalid-arguments",
      `${JSON.stringify(path)} starts at the home directory, but this computer has none. Use a path in the workspace.`,
    );
  }
  return `${home}${path.slice(1)}`;
}

const needsWork = /\/(?:\.{0,2}\/|\.{0,2}$)/u;

function normalize(absolute: string): string {
  if (!needsWork.test(absolute)) return absolute;
  const parts: string[] = [];
  for (const part of absolute.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
