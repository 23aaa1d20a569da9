import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readUntrustedFile, toRealPath } from "@haft/computer/internal";
import { isInside, isPlainObject } from "@haft/contract/internal";
import {
  fromAmpPermissions,
  fromClaudePermissions,
  type ImportedRules,
  type ImportLocation,
  parseCommentedJson,
} from "@haft/core/internal";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Another program whose rules can be imported. */
export interface ForeignProgram {
  readonly name: string;
  /** Its settings files, highest precedence first. */
  files(workspace: string, io: Io): readonly string[];
  /** Returns the rules of several settings files. */
  read(settings: readonly unknown[], place: ImportLocation): ImportedRules;
}

/** Every program whose rules can be imported. */
export const foreignPrograms: Readonly<Record<string, ForeignProgram>> = {
  amp: {
    name: "Amp",
    files: (workspace, io) => [
      ...variants(join(workspace, ".amp", "settings")),
      ...variants(
        join(io.environment.XDG_CONFIG_HOME || join(homeOf(io), ".config"), "amp", "settings"),
      ),
    ],
    read: (settings, place) => fromAmpPermissions(joinLists(settings, ampLists), place),
  },
  claude: {
    name: "Claude Code",
    files: (workspace, io) => [
      join(workspace, ".claude", "settings.json"),
      join(workspace, ".claude", "settings.local.json"),
      join(homeOf(io), ".claude", "settings.json"),
    ],
    read: (settings, place) => {
      const permissions = joinLists(settings.map(permissionsOf), ["allow", "ask", "deny"]);
      return fromClaudePermissions({ permissions }, place);
    },
  },
};

/** A settings file that was read. */
export interface ForeignSettings {
  readonly path: string;
  readonly settings: unknown;
}

/** Reads the named file, else all existing settings files of the program. */
export function readForeignSettings(
  program: ForeignProgram,
  place: { readonly file: string | undefined; readonly workspace: string },
  io: Io,
): ForeignSettings[] {
  if (place.file !== undefined) {
    const path = resolve(io.directory, place.file);
    const found = readSettings(path, place.workspace);
    if (found === undefined) throw new UsageError(`${path} does not exist.`);
    return [found];
  }
  const files = program.files(place.workspace, io);
  const found = files.flatMap((path) => readSettings(path, place.workspace) ?? []);
  if (found.length > 0) return found;
  throw new UsageError(`No settings of ${program.name} found: ${files.join(", ")}.`);
}

const maxBytes = 1024 * 1024;

// Files of the workspace are not read through links; a person's own may be links.
function readSettings(path: string, workspace: string): ForeignSettings | undefined {
  const isForeign = isInside(workspace, path);
  const file = isForeign ? path : toRealPath(path);
  const within = isForeign ? workspace : dirname(file);
  const read = readUntrustedFile(file, { within, maxBytes });
  if (read.fault !== undefined) {
    if (read.isMissing) return undefined;
    throw new UsageError(`${path} cannot be read: it ${read.fault}.`);
  }
  try {
    return { path, settings: parseCommentedJson(read.bytes.toString("utf8")) };
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}

const ampLists: readonly string[] = ["amp.permissions", "amp.commands.allowlist"];

function variants(path: string): string[] {
  return [`${path}.json`, `${path}.jsonc`];
}

function homeOf({ environment }: Io): string {
  return environment.HOME || homedir();
}

function permissionsOf(settings: unknown): unknown {
  return isPlainObject(settings) ? settings.permissions : undefined;
}

// The first settings override the others; lists are concatenated.
function joinLists(settings: readonly unknown[], names: readonly string[]): unknown {
  const records = settings.filter(isPlainObject);
  const lists = names.map((name) => [
    name,
    records.flatMap((one) => (Array.isArray(one[name]) ? one[name] : [])),
  ]);
  return { ...records[0], ...Object.fromEntries(lists) };
}
