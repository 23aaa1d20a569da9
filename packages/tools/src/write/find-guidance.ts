import { type Runtime, ToolError } from "@haft/contract";

const names = ["AGENTS.md", "CLAUDE.md", "CONTEXT.md"];

/**
 * The files with instructions that hold for a path: in its directory and those above it, up to the
 * workspace root, the nearest last. The path itself is not among them.
 */
export async function findGuidance(path: string, runtime: Runtime): Promise<string[]> {
  const candidates = listDirectories(path, runtime.session.roots)
    .flatMap((directory) => names.map((name) => `${directory}/${name}`))
    .filter((candidate) => candidate !== path);
  const found = await Promise.all(candidates.map((candidate) => isFile(candidate, runtime)));
  return candidates.filter((_, index) => found[index]);
}

function listDirectories(path: string, roots: readonly string[]): string[] {
  const root = roots
    .map((each) => (each === "/" ? "" : each))
    .filter((each) => path.startsWith(`${each}/`))
    .reduce<string | undefined>(
      (longest, each) => (longest === undefined || each.length > longest.length ? each : longest),
      undefined,
    );
  if (root === undefined) return [];
  const directories = [root];
  for (let at = path.indexOf("/", root.length + 1); at !== -1; at = path.indexOf("/", at + 1)) {
    directories.push(path.slice(0, at));
  }
  return directories;
}

async function isFile(path: string, runtime: Runtime): Promise<boolean> {
  try {
    return (await runtime.fs.stat(path)).kind === "file";
  } catch (error) {
    // Missing or out of scope: the same to the reader, who can't open it.
    if (ToolError.isInstance(error)) return false;
    throw error;
  }
}
