import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";
import type { CommandInput } from "../../../command.ts";
import { optionText } from "../../../environments/option-values.ts";
import type { Io } from "../../../io.ts";
import { UsageError } from "../../../usage-error.ts";
import { tryGit } from "./git.ts";

/** A tool's project on this machine. */
export interface Project {
  readonly directory: string;
  /** The root of its repository, if it is in one. */
  readonly root: string | undefined;
  /** Its path in the repository, and so on the platform; `/` for the whole repository. */
  readonly path: string;
  /** From its `tool.json`. */
  readonly name: string | undefined;
  readonly description: string | undefined;
}

/**
 * Returns the project in the folder that `--path` names, or in the current one. With `--push` it need
 * not be in a repository. A project that is a whole repository gets its own folder on the platform.
 */
export async function requireProject(input: CommandInput, io: Io): Promise<Project> {
  const given = optionText(input, "path");
  const directory = resolve(io.directory, given ?? ".");
  if (!existsSync(directory) || !statSync(directory).isDirectory()) {
    throw new UsageError(`${directory} is not a folder.`);
  }
  const manifest = readManifest(directory);
  if (manifest === undefined) {
    throw new UsageError(
      `${directory} has no tool.json. Run this in a tool's folder, name the folder with --path DIR, or create one with: haft tool init NAME`,
    );
  }
  const root = await findRoot(directory, io);
  const isPushed = input.options.push === true;
  if (root === undefined && !isPushed) {
    throw new UsageError(
      `${directory} is not in a git repository, and tools are published from git. Add --push to push this folder as it is.`,
    );
  }
  const real = realpathSync(directory);
  const inside = relative(root ?? dirname(real), real)
    .split(sep)
    .join("/");
  const path = inside || (isPushed ? basename(real) : "/");
  if (!/^[-\w/]+$/u.test(path)) {
    throw new UsageError(
      `The platform does not accept the folder name ${JSON.stringify(path)}: use letters, digits, -, _ and / only.`,
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
  const read = readUntrustedFile(file, { within: directory, maxBytes: 1024 * 1024 });
  if (read.bytes === undefined) {
    if (read.isMissing) return undefined;
    throw new UsageError(`${file} ${read.fault}. Replace it with a regular file.`);
  }
  let found: { readonly name?: unknown; readonly description?: unknown } | null;
  try {
    found = JSON.parse(read.bytes.toString("utf8"));
  } catch (error) {
    throw new UsageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  const text = (value: unknown): string | undefined =>
    typeof value === "string" && value !== "" ? value : undefined;
  return { name: text(found?.name), description: text(found?.description) };
}
