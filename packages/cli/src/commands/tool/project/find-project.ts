import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { CommandInput } from "../../../command.ts";
import { optionText } from "../../../environments/option-values.ts";
import type { Io } from "../../../io.ts";
import { UsageError } from "../../../usage-error.ts";
import { tryGit } from "./git.ts";

/** A tool's project on this machine. */
export interface Project {
  readonly directory: string;
  /** The repository that it is in, if it is in one. */
  readonly root: string | undefined;
  /** Where it is in there, and so on the platform; `/` for the whole repository. */
  readonly path: string;
  /** What its `tool.json` says. */
  readonly name: string | undefined;
  readonly description: string | undefined;
}

/**
 * The project in the folder that `--path` names, or in this one. With `--push` it need not be in a
 * repository, and if it is one by itself it gets a folder of its own on the platform.
 */
export async function requireProject(input: CommandInput, io: Io): Promise<Project> {
  const given = optionText(input, "path");
  const directory = resolve(io.directory, given ?? ".");
  if (!existsSync(directory) || !statSync(directory).isDirectory()) {
    throw new UsageError(`There is no folder ${directory}.`);
  }
  const manifest = readManifest(directory);
  if (manifest === undefined) {
    throw new UsageError(
      `${directory} has no tool.json. Go to a tool's folder, name it with --path DIR, or make one with haft tool init NAME.`,
    );
  }
  const root = await findRoot(directory, io);
  const isPushed = input.options.push === true;
  if (root === undefined && !isPushed) {
    throw new UsageError(
      `${directory} is in no git repository, and what is published comes from git. Say --push to have this folder pushed as it is.`,
    );
  }
  const place = realpathSync(directory);
  const inside = relative(root ?? dirname(place), place)
    .split(sep)
    .join("/");
  const path = inside || (isPushed ? basename(place) : "/");
  if (!/^[-\w/]+$/u.test(path)) {
    throw new UsageError(
      `The platform takes no folder called ${JSON.stringify(path)}: letters, digits, -, _ and / only.`,
    );
  }
  return { directory, root, path, ...manifest };
}

async function findRoot(directory: string, io: Io): Promise<string | undefined> {
  const { exitCode, stdout } = await tryGit(directory, ["rev-parse", "--show-toplevel"], { io });
  return exitCode === 0 ? realpathSync(stdout.trimEnd()) : undefined;
}

function readManifest(directory: string): Pick<Project, "name" | "description"> | undefined {
  const file = join(directory, "tool.json");
  if (!existsSync(file)) return undefined;
  let found: { readonly name?: unknown; readonly description?: unknown } | null;
  try {
    found = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file} is no JSON: ${(error as Error).message}`);
  }
  const text = (value: unknown): string | undefined =>
    typeof value === "string" && value !== "" ? value : undefined;
  return { name: text(found?.name), description: text(found?.description) };
}
