import { type ObjectSchema, ToolError } from "@haft/contract";
import type { DialectAlias } from "../../dialects/dialect.ts";
import type { Candidate } from "../../registry/name-table.ts";
import { nearestNames } from "../../registry/nearest-names.ts";
import { repair } from "../../schema/repair.ts";
import { fits } from "../../schema/schema-check.ts";
import { showTools } from "../../session/shown-tools.ts";
import { fitArguments, parseArguments } from "../arguments.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/** Finds the tool for a name and converts an alias's arguments to the tool's own. */
export function resolve(call: Call, context: CallContext): void {
  const candidates = findCandidates(call.name, context);
  if (candidates === undefined) throw unknownTool(call.name, context);
  call.tool = (candidates[0] as Candidate).tool;
  call.args = parseArguments(call.tool.id, call.sent);
  const [only] = candidates;
  if (candidates.length === 1 && only?.alias === undefined) return;
  resolveAlias(call, candidates);
}

// Published versions never change, so a step keeps the versions it began with, even if the registry
// has since dropped them or lists another version.
function findCandidates(name: string, context: CallContext): readonly Candidate[] | undefined {
  const known = context.registry.names(context.dialect).get(name);
  if (known !== undefined && known[0]?.tool.source !== "published") return known;
  const kept = context.snapshot().get(name);
  return kept?.source === "published" ? [{ tool: kept, alias: undefined }] : known;
}

function resolveAlias(call: Call, candidates: readonly Candidate[]): void {
  const { tool, alias } = chooseBySchema(candidates, call.args);
  call.tool = tool;
  call.alias = alias;
  if (alias === undefined) return;
  if (alias.toArguments === undefined) {
    if (alias.parameters !== undefined) fitArguments(call, alias.parameters, alias.name);
    return;
  }
  fitArguments(call, alias.parameters ?? tool.parameters, alias.name);
  call.given = call.args as Readonly<Record<string, unknown>>;
  call.args = alias.toArguments(call.given);
}

function chooseBySchema(all: readonly Candidate[], args: unknown): Candidate {
  if (all.length === 1) return all[0] as Candidate;
  const candidates = all.filter((candidate) => suits(candidate, args) !== false);
  for (const candidate of candidates) {
    if (fits(schemaOf(candidate), args)) return candidate;
  }
  for (const candidate of candidates) {
    const { value } = repair(schemaOf(candidate), args);
    if (fits(schemaOf(candidate), value)) return candidate;
  }
  const meant = candidates.find((candidate) => suits(candidate, args)) ?? all[0];
  return meant as Candidate;
}

/** Tells whether a candidate accepts these arguments as its own, or `undefined` if it does not say. */
function suits({ alias }: Candidate, args: unknown): boolean | undefined {
  if (typeof args !== "object" || args === null) return undefined;
  const { suits } = (alias ?? {}) as Partial<DialectAlias>;
  return suits?.(args as Readonly<Record<string, unknown>>);
}

function schemaOf({ tool, alias }: Candidate): ObjectSchema {
  return alias?.parameters ?? tool.parameters;
}

function unknownTool(name: string, context: CallContext): ToolError {
  const snapshot = context.snapshot();
  if (snapshot.has(name)) {
    return new ToolError("not-available", `${name} was removed after this step began.`);
  }
  // Suggest only tools that the model was shown.
  const known = showTools(snapshot.values(), context.dialect).map((tool) => tool.name);
  const near = nearestNames(name, known);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  return new ToolError("unknown-tool", `There is no tool named ${JSON.stringify(name)}.${hint}`);
}
