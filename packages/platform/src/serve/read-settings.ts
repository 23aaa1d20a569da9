import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findHostProblem } from "@haft/computer/internal";
import { toJsonErrorLocation } from "../json-error-location.ts";
import { defaultSettings, type PlatformSettings } from "../platform-settings.ts";

/** Reads the `settings.json` of a data directory. Missing settings get their defaults. */
export function readSettings(directory: string): PlatformSettings {
  const path = join(directory, "settings.json");
  if (!existsSync(path)) return defaultSettings;
  const text = readFileSync(path, "utf8");
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    const location = toJsonErrorLocation(error, text);
    throw new Error(`${path} is not valid JSON${location}. Fix the syntax and start again.`);
  }
  return merge(defaultSettings, given, { path, at: "" });
}

// `null` means no limit.
const canBeOff = ["maxActiveVersions", "historyDays", "publicUrl"];
const choices: Readonly<Record<string, readonly string[]>> = {
  privateHosts: ["declared", "never"],
};

interface SettingLocation {
  readonly path: string;
  readonly at: string;
}

function merge<Settings extends object>(
  defaults: Settings,
  given: unknown,
  location: SettingLocation,
): Settings {
  const { path, at } = location;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new Error(`${path}: ${at === "" ? "the file" : at} must be an object.`);
  }
  const merged = { ...defaults } as Record<string, unknown>;
  for (const [name, value] of Object.entries(given)) {
    const full = at === "" ? name : `${at}.${name}`;
    if (!Object.hasOwn(defaults, name)) {
      const known = Object.keys(defaults).join(", ");
      throw new Error(`${path}: unknown setting ${full}. Known settings: ${known}.`);
    }
    const standard = merged[name];
    merged[name] =
      typeof standard === "object" && !Array.isArray(standard)
        ? merge(standard as object, value, { path, at: full })
        : requireValue(name, value, { path, at: full });
  }
  return merged as Settings;
}

function requireValue(name: string, value: unknown, { path, at }: SettingLocation): unknown {
  const choice = choices[name];
  if (choice !== undefined) {
    if (choice.includes(value as string)) return value;
    throw new Error(`${path}: ${at} must be one of ${choice.join(", ")}.`);
  }
  if (value === null && canBeOff.includes(name)) return undefined;
  if (name === "publicUrl") return requireWebAddress(value, at, path);
  if (name === "allowedHosts") return requireHosts(value, at, path);
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw new Error(`${path}: ${at} must be a number, not ${JSON.stringify(value)}.`);
}

function requireWebAddress(value: unknown, at: string, path: string): string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  const isPlain = url !== null && url.search === "" && url.hash === "" && url.username === "";
  if (isPlain && /^https?:$/u.test(url.protocol)) return url.href.replace(/\/+$/u, "");
  throw new Error(`${path}: ${at} must be an address such as https://tools.example.com.`);
}

function requireHosts(value: unknown, at: string, path: string): readonly string[] {
  if (!Array.isArray(value)) {
    throw new Error(`${path}: ${at} must be a list of hosts, such as ["10.0.0.5:8080"].`);
  }
  for (const host of value) {
    const problem = findHostProblem(String(host));
    if (problem !== undefined) throw new Error(`${path}: ${at}: ${problem}`);
  }
  return value as readonly string[];
}
