import { type ObjectSchema, type Tool, ToolError } from "@haft/contract";
import type { DialectAlias } from "../../dialects/dialect.ts";
import type { Candidate } from "../../registry/name-table.ts";
import { nearestNames } from "../../registry/nearest-names.ts";
import { repair } from "../../schema/repair.ts";
import { fits } from "../../schema/schema-check.ts";
import { toolsNamed } from "../../synonyms/synonyms.ts";
import { readPatchCommand, takeReading } from "../../synonyms/take-reading.ts";
import { fitArguments, fitsRepaired, parseArguments, signature } from "../arguments.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/** Finds the tool for a name and converts an alias's arguments to the tool's own. */
export function resolve(call: Call, context: CallContext): void {
  const candidates = findCandidates(call.name, context);
  if (candidates === undefined) {
    resolveOtherName(call, context);
  } else {
    call.tool = (candidates[0] as Candidate).tool;
    call.args = parseArguments(call.tool.id, call.sent);
    const isNative = candidates.length === 1 && candidates[0]?.alias === undefined;
    if (!isNative) resolveAlias(call, candidates, context);
  }
  if (call.tool.id === "bash") readPatchCommand(call, context);
}

/** Resolves a name that only another family of agents uses. */
function resolveOtherName(call: Call, context: CallContext): void {
  if (toolsNamed(call.name).length === 0) throw unknownTool(call.name, [], context);
  call.args = parseArguments(call.name, call.sent);
  const meant = takeReading(call, context);
  if (call.tool === undefined) throw unknownTool(call.name, meant, context);
}

// Published versions never change, so a step keeps the versions it began with, even if the registry
// has since dropped them or lists another version.
function findCandidates(name: string, context: CallContext): readonly Candidate[] | undefined {
  const known = context.registry.names(context.dialect).get(name);
  if (known !== undefined && known[0]?.tool.source !== "published") return known;
  const kept = context.snapshot().get(name);
  return kept?.source === "published" ? [{ tool: kept, alias: undefined }] : known;
}

function resolveAlias(call: Call, candidates: readonly Candidate[], context: CallContext): void {
  const { tool, alias } = chooseBySchema(candidates, call.args);
  call.tool = tool;
  const schema = alias?.parameters ?? (alias?.toArguments && tool.parameters);
  if (schema !== undefined && !fitsRepaired(call, schema)) {
    takeReading(call, context);
    if (call.notes === undefined) fitArguments(call, schema, alias?.name ?? tool.id);
    return;
  }
  call.alias = call.program === undefined ? alias : aliasInProgram(alias);
  if (alias?.toArguments === undefined) return;
  call.given = call.args as Readonly<Record<string, unknown>>;
  call.args = alias.toArguments(call.given);
}

function aliasInProgram(alias: Candidate["alias"]): Candidate["alias"] {
  const { inProgram } = (alias ?? {}) as Partial<DialectAlias>;
  return inProgram === undefined ? alias : Object.assign({}, alias, inProgram);
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

function unknownTool(name: string, meant: readonly Tool[], context: CallContext): ToolError {
  const snapshot = context.snapshot();
  if (snapshot.has(name)) {
    return new ToolError("not-available", `${name} was removed after this step began.`);
  }
  // Suggest only tools that the model was shown.
  const shown = context.showTools(snapshot.values());
  const unknown = `There is no tool named ${JSON.stringify(name)}.`;
  const right = shown.filter(({ tool }) => meant.some(({ id }) => id === tool));
  if (right.length > 0) {
    const uses = right.map((each) => `${each.name} ${signature(each.input_schema)}`);
    return new ToolError("unknown-tool", `${unknown} Use ${uses.join(" or ")}.`);
  }
  const near = nearestNames(
    name,
    shown.map((tool) => tool.name),
  );
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : "";
  return new ToolError("unknown-tool", `${unknown}${hint}`);
}
