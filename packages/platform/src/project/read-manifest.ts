import { isUtf8 } from "node:buffer";
import { clipText, isPlainObject } from "@haft/contract/internal";
import { toVisibleText } from "@haft/core/internal";
import type { ProjectTree } from "../git/repositories.ts";
import { toJsonErrorLocation } from "../json-error-location.ts";
import type { PlatformSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import { checkHosts } from "./check-hosts.ts";
import { checkInputSchema, checkOutputSchema } from "./check-input-schema.ts";
import type { ToolManifest } from "./manifest.ts";
import type { ManifestDraft } from "./manifest-draft.ts";
import { findNearestName } from "./nearest-name.ts";

/** The platform settings that limit a manifest. */
export type ManifestSettings = Pick<PlatformSettings, "privateHosts" | "runner">;

/** Parses a project's `tool.json`. Throws a `Problem` 400 that names the field and what to do. */
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
    ...(manifest.outputSchema !== undefined && {
      outputSchema: checkOutputSchema(manifest.outputSchema, "tool.json: outputSchema"),
    }),
    ...(manifest.reuse !== undefined && { reuse: readReuse(manifest.reuse) }),
  };
}

const fields = [
  "name",
  "description",
  "runtime",
  "inputSchema",
  "outputSchema",
  "requiredEnvvars",
  "requiredSecretEnvvars",
  "allowedHosts",
  "simulationHosts",
  "limits",
  "reuse",
] as const;

type Field = (typeof fields)[number];
type Manifest = Readonly<Partial<Record<Field, unknown>>>;

const maxBytes = 500_000;

function parse(bytes: Uint8Array | undefined): Manifest {
  if (bytes === undefined) {
    return refuse(
      "The project has no tool.json. Add one with a name, a description, a runtime and an inputSchema. `haft tool init` creates an example.",
    );
  }
  if (bytes.length > maxBytes)
    return refuse(`tool.json is larger than ${maxBytes} bytes. Shorten it.`);
  if (!isUtf8(bytes))
    return refuse("tool.json is not valid UTF-8. Save it as UTF-8 and publish again.");
  const text = new TextDecoder().decode(bytes);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    const location = toJsonErrorLocation(error, text);
    return refuse(`tool.json is not valid JSON${location}. Fix the syntax and publish again.`);
  }
  return isPlainObject(parsed)
    ? parsed
    : refuse("tool.json must be an object with a name, a description and a runtime.");
}

function refuseMisspelt(manifest: Manifest): void {
  for (const name of Object.keys(manifest)) {
    if (name === "$schema" || fields.includes(name as Field)) continue;
    // Other programs may use unknown fields, so only those that look misspelt are refused.
    const nearest = findNearestName(name, fields);
    if (nearest === undefined) continue;
    refuse(`tool.json: unknown field ${show(name)}. Did you mean ${nearest}?`);
  }
}

function readName(name: unknown): string {
  if (typeof name === "string" && /^[a-z0-9_]{1,64}$/u.test(name)) return name;
  return refuse(
    `tool.json: name is ${show(name)}. Use the name of the tool: 1 to 64 lower-case letters, digits and underscores.`,
  );
}

function readDescription(description: unknown): string {
  if (typeof description === "string" && description.trim() !== "") return description.trim();
  return refuse(
    "tool.json: description must be a non-empty string. Say what the tool does and when to use it.",
  );
}

function readRuntime(runtime: unknown): ToolManifest["runtime"] {
  if (runtime === "node" || runtime === "python") return runtime;
  return refuse(`tool.json: runtime is ${show(runtime)}. Use "node" or "python".`);
}

function readReuse(reuse: unknown): "process" {
  if (reuse === "process") return reuse;
  return refuse(
    `tool.json: reuse is ${show(reuse)}. Use "process" if invocations may share state, or leave it out.`,
  );
}

function readVariables(
  manifest: Manifest,
): Pick<ToolManifest, "requiredEnvvars" | "requiredSecretEnvvars"> {
  const requiredEnvvars = readNames(manifest, "requiredEnvvars");
  const requiredSecretEnvvars = readNames(manifest, "requiredSecretEnvvars");
  const both = requiredEnvvars.find((name) => requiredSecretEnvvars.includes(name));
  if (both !== undefined) {
    refuse(
      `tool.json: ${both} is in both requiredEnvvars and requiredSecretEnvvars. Remove it from one of them.`,
    );
  }
  return { requiredEnvvars, requiredSecretEnvvars };
}

function readNames(manifest: Manifest, field: Field): readonly string[] {
  const names = readTexts(manifest, field);
  for (const name of names) {
    if (!/^[A-Z_]{1,100}$/u.test(name)) {
      refuse(
        `tool.json: ${field} has ${show(name)}. Name variables with capital letters and underscores only, such as API_TOKEN.`,
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
  return refuse(`tool.json: ${field} must be a list of at most 100 strings, such as [].`);
}

function readLimits(limits: unknown, { runner }: ManifestSettings): ToolManifest["limits"] {
  const given = limits ?? {};
  if (!isPlainObject(given)) {
    return refuse('tool.json: limits must be an object, such as {"timeoutMs": 30000}.');
  }
  const known = ["timeoutMs", "memoryMb"];
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) {
      refuse(`tool.json: limits has an unknown field ${show(name)}. Allowed: ${known.join(", ")}.`);
    }
  }
  const read = (name: string, byDefault: number, [min, max]: readonly [number, number]): number => {
    const value = given[name] ?? Math.min(byDefault, max);
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) {
      return Number(value);
    }
    return refuse(
      `tool.json: limits.${name} is ${show(value)}. Use an integer from ${min} to ${max}.`,
    );
  };
  return {
    timeoutMs: read("timeoutMs", runner.timeoutMs, [1, runner.maxTimeoutMs]),
    memoryMb: read("memoryMb", runner.memoryMb, [16, runner.maxMemoryMb]),
  };
}

function show(value: unknown): string {
  return toVisibleText(clipText(JSON.stringify(value) ?? "missing", 100));
}

function refuse(sentence: string): never {
  throw new Problem(400, sentence);
}
