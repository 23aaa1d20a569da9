import { type Runtime, ToolError } from "@haft/contract";
import { directoriesAbove } from "../paths/directories-above.ts";

/** A directory that may be a project, as far as its checks are concerned. */
export interface Project {
  readonly directory: string;
  /** The names in it, those of directories with a slash at the end. */
  readonly names: ReadonlySet<string>;
  /** The directories above it in the workspace, nearest first. */
  readonly above: readonly string[];
  /** The text of a file in it; empty if there is none that can be read. */
  read(name: string): Promise<string>;
  /** Whether one of these is in it, or in a directory above. */
  hasAbove(name: string): Promise<boolean>;
  /** How to call a program from here; `undefined` if it is not installed. */
  findProgram(name: string): Promise<string | undefined>;
}

const programDirectories = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];
const mostBytes = 1024 * 1024;

/** Looks at a directory. */
export async function openProject(directory: string, runtime: Runtime): Promise<Project> {
  const { fs, session, shell } = runtime;
  const entries = await fs.list(directory);
  const names = new Set(
    entries.map(({ name, kind }) => (kind === "directory" ? `${name}/` : name)),
  );
  const above = directoriesAbove(`${directory}/x`, session.roots)
    .map((each) => each || "/")
    .reverse()
    .slice(1);
  const exists = (path: string): Promise<boolean> => fs.stat(path).then(() => true, isMissing);
  let searched: Promise<string[]> | undefined;
  const findDirectories = async (): Promise<string[]> => {
    const all = [directory, ...above].flatMap((each) =>
      programDirectories.map((name) => `${each === "/" ? "" : each}/${name}`),
    );
    const isThere = await Promise.all(all.map(exists));
    return all.filter((_, index) => isThere[index]);
  };

  return {
    directory,
    names,
    above,
    read: async (name) => {
      if (!names.has(name)) return "";
      try {
        const bytes = await fs.read(`${directory}/${name}`, { offset: 0, length: mostBytes });
        return new TextDecoder().decode(bytes);
      } catch (error) {
        // A file that can't be read says nothing.
        if (ToolError.isInstance(error)) return "";
        throw error;
      }
    },
    hasAbove: async (name) => {
      if (names.has(name)) return true;
      const found = await Promise.all(above.map((each) => exists(`${each}/${name}`)));
      return found.includes(true);
    },
    findProgram: async (name) => {
      if (name.startsWith("./")) return names.has(name.slice(2)) ? name : undefined;
      searched ??= findDirectories();
      const own = await searched;
      const path = await shell.find(name, own);
      const isOwn = path !== undefined && own.some((each) => path.startsWith(`${each}/`));
      if (path === undefined || !isOwn) return path === undefined ? undefined : name;
      return quote(path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path);
    },
  };
}

// Also what lies outside the workspace is as good as missing.
function isMissing(error: unknown): false {
  if (ToolError.isInstance(error)) return false;
  throw error;
}

function quote(path: string): string {
  return /^[\w./@+-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
