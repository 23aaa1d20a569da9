import { type FileSystem, type Runtime, ToolError } from "@haft/contract";
import { nameInWorkspace } from "./name-in-workspace.ts";

/**
 * Returns the error to throw for a failed call: for a path that nothing has, with the paths that were
 * probably meant, because they have the same file name in any case.
 */
export async function suggestPath(
  error: unknown,
  { fs, session }: Pick<Runtime, "fs" | "session">,
): Promise<unknown> {
  if (!ToolError.isInstance(error) || error.code !== "not-found") return error;
  const { absolutePath } = error;
  const meant = absolutePath === undefined ? [] : await findMeant(absolutePath, fs, session.roots);
  if (absolutePath === undefined || meant.length === 0) return error;
  const names = meant.map((path) => nameInWorkspace(path, session.roots)).join(" or ");
  const [what] = error.message.split(/\.(?=\s|$)/u);
  return new ToolError("not-found", `${what}. Did you mean ${names}?`, {
    absolutePath,
    cause: error,
  });
}

const maxMeant = 3;

async function findMeant(
  path: string,
  fs: FileSystem,
  roots: readonly string[],
): Promise<readonly string[]> {
  const root = roots.find((each) => path.startsWith(`${each}/`)) ?? roots[0];
  const name = path.slice(path.lastIndexOf("/") + 1);
  // In a pattern these signs would mean something else.
  if (root === undefined || name === "" || /[[\]{}*?!\\]/u.test(name)) return [];
  const anyCase = name.replaceAll(/\p{L}/gu, (letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return lower.length === 1 && upper.length === 1 ? `[${lower}${upper}]` : letter;
  });
  try {
    const query = { directory: root, pattern: `**/${anyCase}`, limit: maxFound };
    const { files } = await fs.findFiles(query);
    const same = files.filter((file) => file.toLowerCase() === path.toLowerCase());
    if (same.length > 0) return same;
    return files.length <= maxMeant ? files : [];
  } catch (error) {
    // What can't be searched suggests nothing.
    if (ToolError.isInstance(error)) return [];
    throw error;
  }
}

const maxFound = 1_000;
