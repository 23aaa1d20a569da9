import { isAbsolute, join, resolve } from "node:path";
import type { AgentSettings } from "./agent-settings.ts";
import { mergeSettings } from "./merge-settings.ts";
import { readSettingsFile } from "./read-settings-file.ts";
import { readSettingsFields } from "./settings-fields.ts";

/** Where settings are looked for. */
export interface SettingsPlaces {
  /** The first root of the workspace. */
  readonly workspace: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What was found, and what of it was left out and why. */
export interface FoundSettings {
  readonly settings: AgentSettings;
  readonly warnings: readonly string[];
}

/**
 * Reads the user's settings and the project's, which goes before. Throws a `TypeError` if one of the files
 * is no JSON; what is wrong within is a warning, and the rest holds.
 */
export async function readAgentSettings(places: SettingsPlaces): Promise<FoundSettings> {
  const warnings: string[] = [];
  const userFile = locateUserFile(places);
  const projectFile = join(places.workspace, ".haft", "settings.json");
  const user = await readOne(userFile.path, warnings);
  if (user === undefined && userFile.isNamed) {
    throw new TypeError(
      `HAFT_CONFIG names ${userFile.path}, which is not there or empty. Name another file, or unset HAFT_CONFIG.`,
    );
  }
  // Who names it in HAFT_CONFIG takes it for their own.
  const project = projectFile === userFile.path ? undefined : await readOne(projectFile, warnings);
  const merged = mergeSettings({ user: user ?? {}, project: project ?? {} }, (problem) => {
    warnings.push(`${projectFile}: ${problem}.`);
  });
  const model = places.environment.HAFT_MODEL?.trim();
  return { settings: { ...merged, ...(model && { model }) }, warnings };
}

function locateUserFile({ workspace, home, environment }: SettingsPlaces): {
  path: string;
  isNamed: boolean;
} {
  const { HAFT_CONFIG: named, XDG_CONFIG_HOME: config } = environment;
  if (named) return { path: resolve(workspace, named), isNamed: true };
  // The XDG specification says to ignore a relative one.
  const base = config && isAbsolute(config) ? config : join(home, ".config");
  return { path: join(base, "haft", "settings.json"), isNamed: false };
}

const mostWarnings = 10;

async function readOne(path: string, warnings: string[]): Promise<AgentSettings | undefined> {
  const content = await readSettingsFile(path);
  if (content === undefined) return undefined;
  const problems: string[] = [];
  const found = readSettingsFields(content, {
    path: [],
    warn: (names, problem) => {
      const field = names.length === 0 ? "this" : `"${names.map(toShown).join(".")}"`;
      const end = /[.?]$/u.test(problem) ? "" : ".";
      problems.push(`${path}: ${field} ${problem}${end} It is left out.`);
    },
  });
  warnings.push(...problems.slice(0, mostWarnings));
  const more = problems.length - mostWarnings;
  if (more > 0) warnings.push(`${path}: ${more} more settings are wrong and left out.`);
  return found ?? {};
}

// Names are somebody else's: no control characters on a terminal, and no end of them.
function toShown(name: string): string {
  const plain = name.replaceAll(/["\p{C}]/gu, "?");
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain;
}
