import { type FileSystem, type Runtime, ToolError } from "@haft/contract";
import { directoriesAround } from "../paths/directories-around.ts";

/** A directory that may have configuration for a project. */
export interface ConfigurationDirectory {
  readonly directory: string;
  /** The names of its entries; directories end with a slash. */
  readonly names: ReadonlySet<string>;
  /** Returns the text of a file in it, or an empty text if it can't be read. */
  read(name: string): Promise<string>;
}

/** A directory that may be a project with checks. */
export interface Project extends ConfigurationDirectory {
  /** Of a workspace root: the directories above it in its repository, nearest first. */
  readonly outer: readonly ConfigurationDirectory[];
  /** Tells whether it contains files with one of these extensions. */
  hasFiles(extensions: readonly string[]): Promise<boolean>;
  /** Tells whether one of these is in it or in a directory above. */
  hasAbove(name: string): Promise<boolean>;
  /** Returns the command for a program, or `undefined` if it is not installed. */
  findProgram(name: string): Promise<string | undefined>;
}

const programDirectories = ["node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"];
const maxBytes = 1024 * 1024;

/** Opens a directory as a project. */
export async function openProject(directory: string, runtime: Runtime): Promise<Project> {
  const { fs, session, shell } = runtime;
  const opened = await openDirectory(directory, fs);
  const { names } = opened;
  const above = directoriesAround(`${directory}/x`, session)
    .map((each) => each || "/")
    .reverse()
    .slice(1);
  const outer = session.roots.includes(directory) ? above : [];
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
    ...opened,
    // Rules may deny what is above the workspace.
    outer: (
      await Promise.all(outer.map((each) => openDirectory(each, fs).catch(isMissing)))
    ).filter((each) => each !== false),
    hasFiles: async (extensions) => {
      const pattern = `**/*.{${extensions.join(",")}}`;
      const { files } = await fs.findFiles({ directory, pattern, limit: 1 });
      return files.length > 0;
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

async function openDirectory(directory: string, fs: FileSystem): Promise<ConfigurationDirectory> {
  const entries = await fs.list(directory);
  const names = new Set(
    entries.map(({ name, kind }) => (kind === "directory" ? `${name}/` : name)),
  );
  return {
    directory,
    names,
    read: async (name) => {
      if (!names.has(name)) return "";
      try {
        const bytes = await fs.read(`${directory}/${name}`, { offset: 0, length: maxBytes });
        return new TextDecoder().decode(bytes);
      } catch (error) {
        // A file that can't be read counts as empty.
        if (ToolError.isInstance(error)) return "";
        throw error;
      }
    },
  };
}

// A path outside the workspace counts as missing, too.
function isMissing(error: unknown): false {
  if (ToolError.isInstance(error)) return false;
  throw error;
}

function quote(path: string): string {
  return /^[\w./@+-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
