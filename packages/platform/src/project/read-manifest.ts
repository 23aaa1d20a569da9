import type { ProjectTree } from "../git/repositories.ts";
import type { JsonObject } from "../json.ts";
import type { PlatformSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import { checkHosts } from "./check-hosts.ts";
import { checkInputSchema } from "./check-input-schema.ts";
import type { ToolManifest } from "./manifest.ts";
import type { ManifestDraft } from "./manifest-draft.ts";
import { findNearestName } from "./nearest-name.ts";

/** What a manifest is judged by. */
export type ManifestSettings = Pick<PlatformSettings, "privateHosts" | "runner">;

/** Reads a project's `tool.json`. Throws a `Problem` 400 that names the field and what to do. */
export function readManifest(project: ProjectTree, settings: ManifestSettings): ManifestDraft {
  const manifest = parse(project.get("tool.json"));
  refuseMisspelt(manifest);
  const variables = readVariables(manifest);
  return {
    name: readName(manifest.name),
    description: readDescription(manifest.description),
    runtime: readRuntime(manifest.runtime),
    inputSchema:
      manifest.inputSchema === undefined
        ? undefined
        : checkInputSchema(manifest.inputSchema, "tool.json: inputSchema"),
    ...variables,
    allowedHosts: readHosts(manifest, "allowedHosts", settings),
    simulationHosts: readHosts(manifest, "simulationHosts", settings),
    limits: readLimits(manifest.limits, settings),
  };
}

const fields = [
  "name",
  "description",
  "runtime",
  "inputSchema",
  "requiredEnvvars",
  "requiredSecretEnvvars",
  "allowedHosts",
  "simulationHosts",
  "limits",
] as const;

type Field = (typeof fields)[number];
type Manifest = Readonly<Partial<Record<Field, unknown>>>;

const mostBytes = 500_000;

function parse(bytes: Uint8Array | undefined): Manifest {
  if (bytes === undefined) {
    return refuse(
      "The project has no tool.json. Add one with a name, a description, a runtime and an inputSchema; `haft tool init` makes an example.",
    );
  }
  if (bytes.length > mostBytes) return refuse(`tool.json is larger than ${mostBytes} bytes.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    return refuse(
      `tool.json is not valid JSON in UTF-8: ${(error as Error).message}. Mend it there.`,
    );
  }
  return isObject(parsed)
    ? parsed
    : refuse("tool.json has to be an object with a name, a description and a runtime.");
}

function refuseMisspelt(manifest: Manifest): void {
  for (const name of Object.keys(manifest)) {
    if (name === "$schema" || fields.includes(name as Field)) continue;
    // What is of no use here may be to others; what is misspelt would be missed.
    const nearest = findNearestName(name, fields);
    if (nearest === undefined) continue;
    refuse(`tool.json: there is no field ${show(name)}. Did you mean ${nearest}?`);
  }
}

function readName(name: unknown): string {
  if (typeof name === "string" && /^[a-z0-9_]{1,64}$/u.test(name)) return name;
  return refuse(
    `tool.json: name is ${show(name)}. It has to be 1 to 64 lower-case letters, digits and underscores, as the tool is called.`,
  );
}

function readDescription(description: unknown): string {
  if (typeof description === "string" && description.trim() !== "") return description.trim();
  return refuse(
    "tool.json: description has to be a text that says what the tool does, for whoever chooses it.",
  );
}

function readRuntime(runtime: unknown): ToolManifest["runtime"] {
  if (runtime === "node" || runtime === "python") return runtime;
  return refuse(`tool.json: runtime is ${show(runtime)}. It has to be "node" or "python".`);
}

function readVariables(
  manifest: Manifest,
): Pick<ToolManifest, "requiredEnvvars" | "requiredSecretEnvvars"> {
  const requiredEnvvars = readNames(manifest, "requiredEnvvars");
  const requiredSecretEnvvars = readNames(manifest, "requiredSecretEnvvars");
  const both = requiredEnvvars.find((name) => requiredSecretEnvvars.includes(name));
  if (both !== undefined) {
    refuse(
      `tool.json: ${both} is in requiredEnvvars and in requiredSecretEnvvars. Leave it in one of them.`,
    );
  }
  return { requiredEnvvars, requiredSecretEnvvars };
}

function readNames(manifest: Manifest, field: Field): readonly string[] {
  const names = readTexts(manifest, field);
  for (const name of names) {
    if (!/^[A-Z_]{1,100}$/u.test(name)) {
      refuse(
        `tool.json: ${field} has ${show(name)}. A variable's name has capital letters and underscores only, such as API_TOKEN.`,
      );
    }
  }
  return [...new Set(names)];
}

function readHosts(
  manifest: Manifest,
  field: "allowedHosts" | "simulationHosts",
  { privateHosts }: ManifestSettings,
): readonly string[] {
  return checkHosts(field, readTexts(manifest, field), privateHosts);
}

function readTexts(manifest: Manifest, field: Field): readonly string[] {
  const value = manifest[field] ?? [];
  if (
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((each) => typeof each === "string")
  ) {
    return value as string[];
  }
  return refuse(`tool.json: ${field} has to be a list of at most 100 texts, such as [].`);
}

function readLimits(limits: unknown, { runner }: ManifestSettings): ToolManifest["limits"] {
  const given = limits ?? {};
  if (!isObject(given)) {
    return refuse('tool.json: limits has to be an object, such as {"timeoutMs": 30000}.');
  }
  const known = ["timeoutMs", "memoryMb"];
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) {
      refuse(`tool.json: limits has no field ${show(name)}. It takes ${known.join(" and ")}.`);
    }
  }
  const read = (name: string, usual: number, [least, most]: readonly [number, number]): number => {
    const value = given[name] ?? Math.min(usual, most);
    if (Number.isInteger(value) && Number(value) >= least && Number(value) <= most) {
      return Number(value);
    }
    return refuse(
      `tool.json: limits.${name} is ${show(value)}. It has to be a whole number from ${least} to ${most}.`,
    );
  };
  return {
    timeoutMs: read("timeoutMs", runner.timeoutMs, [1, runner.mostTimeoutMs]),
    memoryMb: read("memoryMb", runner.memoryMb, [16, runner.mostMemoryMb]),
  };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function refuse(sentence: string): never {
  throw new Problem(400, sentence);
}
