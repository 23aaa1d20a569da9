import { isPlainObject, toErrorMessage } from "@haft/contract/internal";
import { parseRule, type Rule } from "@haft/core";
import { nearestNames, toPlainText } from "@haft/core/internal";
import { parseDocument } from "yaml";
import { isModelClass, modelClasses } from "../models/model-class.ts";
import { type FrontMatterText, splitFrontMatter } from "../text-files/split-front-matter.ts";
import type { AgentManifest, AgentMode } from "./agent-manifest.ts";
import { fieldError, readBoolean, readList, readText, readTexts, show } from "./fields.ts";
import { readLimits } from "./read-limits.ts";
import { readRequires } from "./read-requires.ts";
import { readSpelled } from "./read-spelled.ts";

/** Where a manifest comes from. */
export interface ManifestSource {
  /** The file name without its extension. */
  readonly name: string;
  /** A path, or `shipped`. */
  readonly origin: string;
  /** Receives warnings about likely mistakes. */
  warn?(message: string): void;
}

const spellings = {
  name: ["name"],
  description: ["description"],
  mode: ["mode"],
  model: ["model"],
  tools: ["tools"],
  mcp: ["mcp", "allowmcp"],
  toolbox: ["toolbox", "allowtoolbox"],
  requires: ["requires"],
  roots: ["roots"],
  rules: ["rules"],
  limits: ["limits"],
  inspectable: ["inspectable", "isinspectable"],
  tool: ["tool", "istool"],
  hidden: ["hidden", "ishidden"],
} as const;

type Fields = Readonly<Partial<Record<keyof typeof spellings, unknown>>>;

const legalName = /^[a-z][a-z0-9_-]{0,39}$/u;

/** Parses the file of an agent. Throws a `TypeError` that names the file, the field and what to do. */
export function parseManifest(text: string, source: ManifestSource): AgentManifest {
  try {
    const parts = splitFrontMatter(text);
    if ("fault" in parts) throw new TypeError(`it ${parts.fault}.`);
    const { fields, unknown } = readSpelled(readYaml(parts), spellings);
    for (const field of unknown) source.warn?.(`${source.origin}: ${describeStranger(field)}`);
    return toManifest(fields, toPlainText(parts.body).trim(), source);
  } catch (error) {
    const message = toErrorMessage(error);
    throw new TypeError(`${source.origin}: ${message}`, { cause: error });
  }
}

function toManifest(fields: Fields, prompt: string, source: ManifestSource): AgentManifest {
  const { description } = fields;
  requireName(fields.name, source.name);
  if (description === undefined || description === null) {
    throw fieldError("description", "is missing. Say what the agent does and when to use it.");
  }
  if (prompt === "") {
    throw new TypeError("it has no prompt. Write one below the front matter.");
  }
  const tools = fields.tools === undefined ? undefined : readTools(fields.tools, source);
  return {
    name: source.name,
    description: toPlainText(readText("description", description)),
    mode: fields.mode === undefined ? "subagent" : readMode(fields.mode),
    prompt,
    model: fields.model === undefined ? undefined : readModel(fields.model),
    tools,
    allowMcp: readFlag("mcp", fields.mcp),
    allowToolbox: readFlag("toolbox", fields.toolbox),
    requires: fields.requires === undefined ? undefined : readRequires(fields.requires),
    roots: fields.roots === undefined ? undefined : readTexts("roots", fields.roots),
    rules: fields.rules === undefined ? undefined : readRules(fields.rules),
    limits: fields.limits === undefined ? undefined : readLimits(fields.limits),
    isInspectable: readFlag("inspectable", fields.inspectable) ?? true,
    isTool: readFlag("tool", fields.tool) ?? false,
    isHidden: readFlag("hidden", fields.hidden) ?? false,
    origin: source.origin,
  };
}

function readYaml({ yaml, yamlLine }: FrontMatterText): Readonly<Record<string, unknown>> {
  // Errors must not quote the file: they are shown to everyone who starts an agent.
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: "error" });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const line = yaml.slice(0, fault.pos[0]).split("\n").length - 1 + yamlLine;
    const remedy = yaml.includes("\t") ? " Indent with spaces, not with tabs." : "";
    throw new TypeError(
      `its front matter is not valid YAML (line ${line}): ${fault.message}.${remedy}`,
    );
  }
  const value: unknown = document.toJS({ maxAliasCount: 20 });
  if (value === null || value === undefined) return {};
  if (isPlainObject(value)) return value;
  throw new TypeError("its front matter must consist of NAME: VALUE lines.");
}

function requireName(value: unknown, expected: string): void {
  if (!legalName.test(expected)) {
    throw new TypeError(
      `${JSON.stringify(expected)} is not a valid agent name. Rename the file: a lowercase letter, then up to 39 lowercase letters, digits, - or _.`,
    );
  }
  if (value === undefined || value === expected) return;
  throw fieldError(
    "name",
    `is ${show(value)}, but the file is called ${expected}.md. Make them match, or remove name.`,
  );
}

function readMode(value: unknown): AgentMode {
  if (value === "primary" || value === "subagent" || value === "all") return value;
  throw fieldError("mode", `must be primary, subagent or all, not ${show(value)}.`);
}

function readModel(value: unknown): string | undefined {
  const model = readText("model", value);
  // Manifests of other programs use this for the parent's model.
  if (model === "inherit") return undefined;
  if (isModelClass(model) || /^[^\s/]+\/\S+$/u.test(model)) return model;
  throw fieldError(
    "model",
    `must be PROVIDER/MODEL or one of ${modelClasses.join(", ")}, not ${show(value)}. Omit it to use the parent's model.`,
  );
}

function readTools(value: unknown, source: ManifestSource): readonly string[] | undefined {
  if (value === null || value === "") {
    throw fieldError("tools", "is empty. Write [] for no tools, or omit it for all tools.");
  }
  const names = typeof value === "string" ? splitNames(value) : readTexts("tools", value);
  if (names.includes("*")) return undefined;
  const distant = names.find((name) => /^(?:mcp|tb)__/u.test(name));
  if (distant !== undefined) {
    source.warn?.(
      `${source.origin}: tools can't list ${show(distant)}. MCP servers and toolboxes are enabled as a whole, with mcp: true and toolbox: true.`,
    );
  }
  return [...new Set(names)];
}

function splitNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function readFlag(field: string, value: unknown): boolean | undefined {
  return value === undefined ? undefined : readBoolean(field, value);
}

function readRules(value: unknown): Rule[] {
  return readList("rules", value).map((line, at) => {
    const field = `rules[${at}]`;
    const text = readText(field, line);
    try {
      return parseRule(text);
    } catch (error) {
      throw fieldError(field, `can't be used. ${(error as Error).message}`);
    }
  });
}

function describeStranger(field: string): string {
  const [near] = nearestNames(field, Object.keys(spellings), 1);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return `the field ${show(field)} is unknown and has no effect.${hint}`;
}
