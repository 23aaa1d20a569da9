import type { CheckWay } from "../found-check.ts";
import type { ConfigurationDirectory, Project } from "../project.ts";
import { type Convention, conventions, sourcesOf } from "./conventions.ts";

/** A way to check a project of some language. */
export interface ConventionalWay extends CheckWay {
  readonly language: string;
}

/**
 * Finds all conventions that a project follows, by its own configuration and by that of the repository that
 * it is a part of. It always runs in the project's own directory.
 */
export async function findConventions(project: Project): Promise<ConventionalWay[]> {
  const { outer } = project;
  const own = await Promise.all(conventions.map((each) => follow(each, project)));
  const inherited = outer.flatMap((directory) =>
    conventions.filter(inherits).map(async (each) => {
      const way = await follow(each, directory);
      const isUsed = way !== undefined && (await project.hasFiles(sourcesOf(way.language)));
      return isUsed ? { ...way, saidBy: `${directory.directory}/${way.saidBy}` } : undefined;
    }),
  );
  const found = [...own, ...(await Promise.all(inherited))].filter((way) => way !== undefined);
  const isMember = outer.some(({ names }) => names.has("Cargo.toml"));
  // cargo would write beside the outermost manifest, which is above the workspace.
  return isMember
    ? found.map((way) => (way.program === "cargo" ? { ...way, before } : way))
    : found;
}

const before = "CARGO_TARGET_DIR=target ";

async function follow(
  convention: Convention,
  directory: ConfigurationDirectory,
): Promise<ConventionalWay | undefined> {
  const { language, kind, files, command, says, beside, needs } = convention;
  if (beside !== undefined && !beside.some((name) => directory.names.has(name))) return undefined;
  for (const saidBy of findNames(files, directory.names)) {
    if (says !== undefined && !says.test(await directory.read(saidBy))) continue;
    const [program = "", ...args] = command.split(" ");
    const way = { language, kind, saidBy, program, args: args.join(" ") };
    return needs === undefined ? way : { ...way, needs };
  }
  return undefined;
}

// Others read configuration only where they run, or check all that it is about.
const upward = new Set(["biome", "eslint", "ruff", "pytest", "go", "golangci-lint", "rubocop"]);

function inherits({ command, beside }: Convention): boolean {
  return beside === undefined && upward.has(command.split(" ")[0] ?? "");
}

function findNames(files: Convention["files"], names: ReadonlySet<string>): string[] {
  return files.flatMap((file) => {
    if (typeof file === "string") return names.has(file) ? [file] : [];
    return [...names].filter((name) => file.test(name));
  });
}
