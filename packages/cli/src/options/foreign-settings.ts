import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import {
  fromAmpPermissions,
  fromClaudePermissions,
  type ImportedRules,
  type ImportPlace,
  parseCommentedJson,
} from "@haft/core";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

/** Another program whose rules can be taken over. */
export interface ForeignProgram {
  readonly name: string;
  /** The settings files that it looks for, those first that go before the others. */
  files(workspace: string, io: Io): readonly string[];
  /** The rules of several settings together. */
  read(settings: readonly unknown[], place: ImportPlace): ImportedRules;
}

/** Every program whose rules can be taken over. */
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

/** Reads the file that was named, or else all of the program's that there are. */
export function readForeignSettings(
  program: ForeignProgram,
  place: { readonly file: string | undefined; readonly workspace: string },
  io: Io,
): ForeignSettings[] {
  if (place.file !== undefined) {
    const path = resolve(io.directory, place.file);
    const found = readSettings(path);
    if (found === undefined) throw new UsageError(`There is no file ${path}.`);
    return [found];
  }
  const files = program.files(place.workspace, io);
  const found = files.flatMap((path) => readSettings(path) ?? []);
  if (found.length > 0) return found;
  throw new UsageError(`There are no settings of ${program.name}: ${files.join(", ")}.`);
}

function readSettings(path: string): ForeignSettings | undefined {
  try {
    return { path, settings: parseCommentedJson(readFileSync(path, "utf8")) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new UsageError(`${path} can't be read: ${message}`);
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
  return isRecord(settings) ? settings.permissions : undefined;
}

// The first settings go before the others; their lists go on in the others'.
function joinLists(settings: readonly unknown[], names: readonly string[]): unknown {
  const records = settings.filter(isRecord);
  const lists = names.map((name) => [
    name,
    records.flatMap((one) => (Array.isArray(one[name]) ? one[name] : [])),
  ]);
  return { ...records[0], ...Object.fromEntries(lists) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
