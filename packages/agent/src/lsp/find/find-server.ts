import { existsSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { remedy } from "../remedy.ts";
import { findLanguage } from "./find-language.ts";
import { findOwnProgram, type ProgramSearch } from "./find-own-program.ts";
import { directoriesUpTo, findRoot } from "./find-root.ts";
import { type FoundProgram, findTypeScript } from "./find-typescript.ts";
import type { Language } from "./language.ts";
import { languageTable } from "./language-table.ts";

/** An installed server for a file. Paths are absolute. */
export interface FoundServer {
  readonly language: Language;
  /** The project's directory. */
  readonly root: string;
  /** The workspace root that contains it. */
  readonly workspace: string;
  /** The root of the repository that contains it, or of the workspace. */
  readonly top: string;
  readonly program: FoundProgram;
  /** Directories that it reads in addition to the workspace. */
  readonly reads: readonly string[];
  /** Directories in these that appear empty. */
  readonly hides: readonly string[];
  /** Changes when the project's packages change, because a running server then has outdated ones. */
  readonly stamp: string;
}

/** Where to look for servers. */
export interface ServerSearch extends Pick<ProgramSearch, "roots" | "searchPath"> {
  /** The repositories that the roots are a part of. Default: none. */
  readonly repositories?: readonly string[];
}

/** Finds the server of a file. Throws `unavailable` with suggestions if none is installed. */
export function findServer(
  file: string,
  { roots, repositories = [], searchPath }: ServerSearch,
): FoundServer {
  const found = findLanguage(file);
  if (found === undefined) throw new ToolError("unavailable", explainLanguages(file), { remedy });
  const { language } = found;
  const workspace = roots.find((root) => isInside(root, file));
  if (workspace === undefined) {
    throw new ToolError(
      "unavailable",
      `${file} is outside the workspace. Language servers can be used only for files inside it.`,
    );
  }
  const top = repositories.find((repository) => isInside(repository, workspace)) ?? workspace;
  const place: ProgramSearch = { roots, top, file, searchPath };
  const program = findProgram(language, place);
  if (program === undefined)
    throw new ToolError("unavailable", explainMissing(file, language), { remedy });
  const root = findRoot(language.markers, { file, workspace });
  return {
    language,
    root,
    workspace,
    top,
    program,
    reads: [...(program.reads ?? []), ...(top === workspace ? [] : [top]), ...packagesAbove(top)],
    // The history of a repository is neither configuration nor code.
    hides: top === workspace ? [] : [join(top, ".git")].filter(isDirectory),
    stamp: [program.path, ...packageStamps(directoriesUpTo(top, join(root, "x")))].join("\n"),
  };
}

function findProgram(language: Language, place: ProgramSearch): FoundProgram | undefined {
  if (language === languageTable[0]) return findTypeScript(language.servers, place);
  for (const server of language.servers) {
    const path = findOwnProgram(server.program, place);
    if (path !== undefined) return { ...server, path };
  }
  return undefined;
}

// If the workspace is part of a larger project without a repository, its packages are in a parent directory.
function packagesAbove(top: string): readonly string[] {
  const found: string[] = [];
  for (let directory = dirname(top); directory !== dirname(directory); ) {
    const packages = join(directory, "node_modules");
    if (existsSync(packages)) found.push(packages);
    directory = dirname(directory);
  }
  return found;
}

// Each package manager writes one of these files at the end.
const installed = [".package-lock.json", ".modules.yaml", ".yarn-state.yml", ".yarn-integrity"];

function packageStamps(directories: readonly string[]): readonly string[] {
  return directories.flatMap((directory) =>
    installed.map((name) => changedAt(join(directory, "node_modules", name))),
  );
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function changedAt(path: string): string {
  try {
    return `${statSync(path).mtimeMs}`;
  } catch {
    return "";
  }
}

function explainLanguages(file: string): string {
  const kind = extname(file) === "" ? "Files without an extension" : `Files with ${extname(file)}`;
  const names = languageTable.map(({ name }) => name).join(", ");
  return `${file}: ${kind} have no known language server. Supported languages: ${names}.`;
}

function explainMissing(file: string, { name, servers, install }: Language): string {
  const programs = [...new Set(servers.map(({ program }) => program))].join(", ");
  return `${file}: no language server for ${name} is installed, neither in the project's node_modules nor on PATH. Supported: ${programs}. To install one: ${install}.`;
}
