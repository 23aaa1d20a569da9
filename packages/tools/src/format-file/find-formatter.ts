import { type FileSystem, type Runtime, ToolError } from "@haft/contract";
import { directoriesAbove } from "../paths/directories-above.ts";
import { directoriesAround } from "../paths/directories-around.ts";
import { type Formatter, formatters } from "./formatters.ts";

/** The formatter that a project uses for a file. */
export interface FoundFormatter {
  readonly formatter: Formatter;
  /** The program's name and its arguments. */
  readonly argv: readonly [string, ...string[]];
  /** The path of its configuration. */
  readonly directory: string;
  readonly configurationFile: string;
  /** The directories with the project's own programs, nearest first. */
  readonly searchFirst: readonly string[];
}

const programDirectories = ["node_modules/.bin", ".venv/bin", "venv/bin"];

/** Finds the formatter with the nearest configuration above a file. */
export async function findFormatter(
  path: string,
  { fs, session }: Runtime,
): Promise<FoundFormatter> {
  const extension = /\.([^./]+)$/u.exec(path)?.[1]?.toLowerCase() ?? "";
  const candidates = formatters.filter(({ extensions }) => extensions.includes(extension));
  if (candidates.length === 0) throw unknownKind(path);
  const directories = directoriesAround(path, session).reverse();
  const own = directoriesAbove(path, session.roots);
  for (const directory of directories) {
    const found = await findConfiguration(directory || "/", candidates, fs).catch((error) => {
      // Rules may deny what is above the workspace.
      if (own.includes(directory) || !ToolError.isInstance(error)) throw error;
      return undefined;
    });
    if (found === undefined) continue;
    const { formatter, configurationFile, configuration } = found;
    const relative = path.slice(directory.length + 1);
    // A name that starts with a hyphen would be parsed as an option.
    const target = relative.startsWith("-") ? `./${relative}` : relative;
    const args = formatter.args({ path: target, extension, configuration });
    return {
      formatter,
      argv: [formatter.name, ...args],
      directory: directory || "/",
      configurationFile,
      searchFirst: await findProgramDirectories(directories, fs),
    };
  }
  throw notConfigured(path, candidates);
}

async function findConfiguration(
  directory: string,
  candidates: readonly Formatter[],
  fs: FileSystem,
): Promise<
  | {
      readonly formatter: Formatter;
      readonly configurationFile: string;
      readonly configuration: string;
    }
  | undefined
> {
  const entries = await fs.list(directory);
  const names = new Set(entries.filter(({ kind }) => kind === "file").map(({ name }) => name));
  for (const formatter of candidates) {
    for (const { file, fits } of formatter.configurations) {
      if (!names.has(file)) continue;
      const configurationFile = `${directory === "/" ? "" : directory}/${file}`;
      const configuration = new TextDecoder().decode(await fs.read(configurationFile));
      if (fits?.(configuration) ?? true) return { formatter, configurationFile, configuration };
    }
  }
  return undefined;
}

async function findProgramDirectories(
  directories: readonly string[],
  fs: FileSystem,
): Promise<string[]> {
  const all = directories.flatMap((directory) =>
    programDirectories.map((name) => `${directory}/${name}`),
  );
  const isThere = await Promise.all(
    all.map((directory) =>
      fs.stat(directory).then(
        ({ kind }) => kind === "directory",
        // It is missing, or a link out of the workspace.
        () => false,
      ),
    ),
  );
  return all.filter((_, index) => isThere[index]);
}

function unknownKind(path: string): ToolError {
  return new ToolError("not-found", `No formatter is known for files like ${path}.`, {
    absolutePath: path,
    remedy: "Format it with `edit`.",
  });
}

function notConfigured(path: string, candidates: readonly Formatter[]): ToolError {
  const known = candidates.map(
    ({ name, configurations }) =>
      `${name} (${configurations
        .slice(0, 2)
        .map(({ file }) => file)
        .join(", ")})`,
  );
  return new ToolError(
    "not-found",
    `This project configures no formatter for ${path}. Searched its directory and those above for ${known.join(", ")}.`,
    { absolutePath: path, remedy: "Format it with `edit`." },
  );
}
