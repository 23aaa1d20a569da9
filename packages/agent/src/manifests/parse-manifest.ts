import { nearestNames, parseRule, type Rule } from "@haft/core";
import { parseDocument } from "yaml";
import type { AgentManifest, AgentMode } from "./agent-manifest.ts";
import {
  fieldError,
  isObject,
  readBoolean,
  readList,
  readText,
  readTexts,
  show,
} from "./fields.ts";
import { readLimits } from "./read-limits.ts";
import { readRequires } from "./read-requires.ts";
import { readSpelled } from "./read-spelled.ts";
import { splitFrontMatter } from "./split-front-matter.ts";

/** Where a manifest was read. */
export interface ManifestPlace {
  /** The file's name without its ending. */
  readonly name: string;
  /** A path, or `shipped`. */
  readonly origin: string;
  /** Is told of what does no harm but is most likely a mistake. */
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
  rules: ["rules"],
  limits: ["limits"],
  inspectable: ["inspectable", "isinspectable"],
  tool: ["tool", "istool"],
  hidden: ["hidden", "ishidden"],
} as const;

type Fields = Readonly<Partial<Record<keyof typeof spellings, unknown>>>;

const legalName = /^[a-z][a-z0-9_-]{0,39}$/u;

/** Reads the file of an agent. A `TypeError` names the file, the field and the remedy. */
export function parseManifest(text: string, place: ManifestPlace): AgentManifest {
  try {
    const { yaml, body } = splitFrontMatter(text);
    const { fields, unknown } = readSpelled(readYaml(yaml), spellings);
    for (const field of unknown) place.warn?.(`${place.origin}: ${describeStranger(field)}`);
    return toManifest(fields, body, place);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${place.origin}: ${message}`, { cause: error });
  }
}

function toManifest(fields: Fields, prompt: string, place: ManifestPlace): AgentManifest {
  const { description } = fields;
  requireName(fields.name, place.name);
  if (description === undefined || description === null) {
    throw fieldError("description", "is missing. Say what the agent does and when to use it.");
  }
  if (prompt === "") {
    throw new TypeError("it has no prompt. Write it below the front matter.");
  }
  const tools = fields.tools === undefined ? undefined : readTools(fields.tools, place);
  return {
    name: place.name,
    description: readText("description", description),
    mode: fields.mode === undefined ? "subagent" : readMode(fields.mode),
    prompt,
    model: fields.model === undefined ? undefined : readModel(fields.model),
    tools,
    allowMcp: readFlag("mcp", fields.mcp),
    allowToolbox: readFlag("toolbox", fields.toolbox),
    requires: fields.requires === undefined ? undefined : readRequires(fields.requires),
    rules: fields.rules === undefined ? undefined : readRules(fields.rules),
    limits: fields.limits === undefined ? undefined : readLimits(fields.limits),
    isInspectable: readFlag("inspectable", fields.inspectable) ?? true,
    isTool: readFlag("tool", fields.tool) ?? false,
    isHidden: readFlag("hidden", fields.hidden) ?? false,
    origin: place.origin,
  };
}

function readYaml(yaml: string): Readonly<Record<string, unknown>> {
  // What it says of an error must not quote the file: that is shown to whoever starts an agent.
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: "error" });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const line = yaml.slice(0, fault.pos[0]).split("\n").length + 1;
    const remedy = yaml.includes("\t") ? " Indent with spaces, not with tabs." : "";
    throw new TypeError(`its front matter is not YAML in line ${line}: ${fault.message}.${remedy}`);
  }
  const value: unknown = document.toJS({ maxAliasCount: 20 });
  if (value === null || value === undefined) return {};
  if (isObject(value)) return value;
  throw new TypeError("its front matter must be lines of the form NAME: VALUE.");
}

function requireName(value: unknown, expected: string): void {
  if (!legalName.test(expected)) {
    throw new TypeError(
      `${JSON.stringify(expected)} can't be the name of an agent. Rename the file: a small letter, then up to 39 small letters, digits, - or _.`,
    );
  }
  if (value === undefined || value === expected) return;
  throw fieldError(
    "name",
    `is ${show(value)}, but the file is called ${expected}.md. Make them the same, or leave name out.`,
  );
}

function readMode(value: unknown): AgentMode {
  if (value === "primary" || value === "subagent" || value === "all") return value;
  throw fieldError("mode", `must be primary, subagent or all, not ${show(value)}.`);
}

function readModel(value: unknown): string | undefined {
  const model = readText("model", value);
  // What other agents' files say for the model of whoever spawns them.
  if (model === "inherit") return undefined;
  if (/^[^\s/]+\/\S+$/u.test(model)) return model;
  throw fieldError(
    "model",
    `must be PROVIDER/MODEL, not ${show(value)}. Leave it out for the parent's.`,
  );
}

function readTools(value: unknown, place: ManifestPlace): readonly string[] | undefined {
  if (value === null || value === "") {
    throw fieldError("tools", "is empty. Write [] for none, or leave it out for all.");
  }
  const names = typeof value === "string" ? splitNames(value) : readTexts("tools", value);
  if (names.includes("*")) return undefined;
  const distant = names.find((name) => /^(?:mcp|tb)__/u.test(name));
  if (distant !== undefined) {
    place.warn?.(
      `${place.origin}: tools has no say over ${show(distant)}. Servers and toolboxes are had as a whole: mcp: true, toolbox: true.`,
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
  const hint = near === undefined ? "" : ` Is ${near} meant?`;
  return `the field ${show(field)} is not known and has no effect.${hint}`;
}
