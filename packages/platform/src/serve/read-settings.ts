import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings, type PlatformSettings } from "../platform-settings.ts";

/** The settings of a data directory: what its `settings.json` says, else what holds by default. */
export function readSettings(directory: string): PlatformSettings {
  const path = join(directory, "settings.json");
  if (!existsSync(path)) return defaultSettings;
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new Error(`${path} is no JSON: ${(error as Error).message}`);
  }
  return merge(defaultSettings, given, { path, at: "" });
}

// `null` stands for "no limit".
const canBeOff = ["mostActiveVersions", "historyDays"];
const choices: Readonly<Record<string, readonly string[]>> = {
  privateHosts: ["declared", "never"],
};

interface Place {
  readonly path: string;
  readonly at: string;
}

function merge<Settings extends object>(
  defaults: Settings,
  given: unknown,
  place: Place,
): Settings {
  const { path, at } = place;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Error(`${path}: ${at === "" ? "it" : at} is to be an object.`);
  }
  const merged = { ...defaults } as Record<string, unknown>;
  for (const [name, value] of Object.entries(given)) {
    const full = at === "" ? name : `${at}.${name}`;
    if (!Object.hasOwn(defaults, name)) {
      const known = Object.keys(defaults).join(", ");
      throw new Error(`${path}: there is no setting ${full}. Settings: ${known}.`);
    }
    const standard = merged[name];
    merged[name] =
      typeof standard === "object"
        ? merge(standard as object, value, { path, at: full })
        : requireValue(name, value, { path, at: full });
  }
  return merged as Settings;
}

function requireValue(name: string, value: unknown, { path, at }: Place): unknown {
  const choice = choices[name];
  if (choice !== undefined) {
    if (choice.includes(value as string)) return value;
    throw new Error(`${path}: ${at} is to be one of ${choice.join(", ")}.`);
  }
  if (value === null && canBeOff.includes(name)) return undefined;
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`${path}: ${at} is to be a number, not ${JSON.stringify(value)}.`);
}
