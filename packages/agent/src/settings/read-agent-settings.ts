import { isAbsolute, join, resolve } from "node:path";
import type { ProjectItem, ProjectTrust } from "@haft/computer";
import type { JsonValue } from "@haft/contract";
import { toPlainLine } from "@haft/core/internal";
import type { AgentSettings } from "./agent-settings.ts";
import { listOtherFields, mergeSettings, toLimits } from "./merge-settings.ts";
import { readProjectSettings, readSettingsFile } from "./read-settings-file.ts";
import { readSettingsFields } from "./settings-fields.ts";

/** Where to look for settings. */
export interface SettingsPlaces {
  /** The first root of the workspace. */
  readonly workspace: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Which of the workspace's files a person has trusted. Default: none. */
  readonly trust?: ProjectTrust | undefined;
}

/** The settings, and warnings about what was ignored. */
export interface FoundSettings {
  readonly settings: AgentSettings;
  readonly warnings: readonly string[];
  /** The project's file if it is not trusted. Only stricter limits take effect. */
  readonly untrusted: readonly ProjectItem[];
}

/**
 * Reads the user's settings and the project's, which take precedence. Throws a `TypeError` if one of the files
 * is not valid JSON. A wrong value is ignored with a warning.
 */
export async function readAgentSettings(places: SettingsPlaces): Promise<FoundSettings> {
  const warnings: string[] = [];
  const userFile = locateUserFile(places);
  const projectFile = join(places.workspace, ".haft", "settings.json");
  const own = readOne(userFile.path, await readSettingsFile(userFile.path), warnings);
  if (own === undefined && userFile.isNamed) {
    throw new TypeError(
      `HAFT_CONFIG points to ${userFile.path}, which is missing or empty. Set it to another file, or unset HAFT_CONFIG.`,
    );
  }
  // A file named in HAFT_CONFIG counts as the user's own.
  const found =
    projectFile === userFile.path ? undefined : readProjectSettings(projectFile, places.workspace);
  const user = own ?? {};
  const project = (found && readOne(projectFile, found.settings, warnings)) ?? {};
  const isTrusted = found === undefined || places.trust?.isTrusted(found.item) === true;
  const merged = mergeSettings(
    { user, project: isTrusted ? project : toLimits(project, user) },
    (problem) => {
      warnings.push(`${projectFile}: ${problem}.`);
    },
  );
  const ignored = isTrusted ? [] : listOtherFields(project);
  if (ignored.length > 0) {
    warnings.push(
      `${projectFile}: not trusted, so these settings have no effect: ${ignored.join(", ")}. Review it with: haft trust`,
    );
  }
  const model = places.environment.HAFT_MODEL?.trim();
  const settings = { ...merged, ...(model && { model }) };
  return { settings, warnings, untrusted: isTrusted ? [] : [found.item] };
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

const maxWarnings = 10;

function readOne(
  path: string,
  content: JsonValue | undefined,
  warnings: string[],
): AgentSettings | undefined {
  if (content === undefined) return undefined;
  const problems: string[] = [];
  const found = readSettingsFields(content, {
    path: [],
    warn: (names, problem) => {
      const field = names.length === 0 ? "this" : `"${names.map(toShown).join(".")}"`;
      const end = /[.?]$/u.test(problem) ? "" : ".";
      problems.push(`${path}: ${field} ${problem}${end} It is ignored.`);
    },
  });
  warnings.push(...problems.slice(0, maxWarnings));
  const more = problems.length - maxWarnings;
  if (more > 0) warnings.push(`${path}: ${more} more invalid settings are ignored.`);
  return found ?? {};
}

// Names come from the file: no control characters on a terminal, and a limited length.
function toShown(name: string): string {
  return toPlainLine(name, 60).replaceAll('"', "?");
}
