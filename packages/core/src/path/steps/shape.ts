import {
  type CommandChange,
  type JsonValue,
  type Metadata,
  type OutputLimit,
  ToolError,
  type ToolResult,
} from "@haft/contract";
import { isErrorCode, toErrorMessage, utf8Head, utf8Length } from "@haft/contract/internal";
import type { DialectAlias } from "../../dialects/dialect.ts";
import { nameToolsInData, nameToolsInError } from "../../dialects/tool-names.ts";
import { fitData } from "../../output/fit-data.ts";
import { certainFit, defaultLimit, type LimitedData, limitData } from "../../output/limit-data.ts";
import { boundJsonSize, toJson } from "../../output/to-json.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

const errorTextBytes = 100 * 1024;
const maxTypeLength = 200;

/** Creates the result of a successful call: in its dialect, without secrets, cut to its limit. */
export function shape(call: Call, context: CallContext): ToolResult | Promise<ToolResult> {
  const alias = call.alias as DialectAlias | undefined;
  if (call.tool.source === "builtin") call.data = nameToolsInData(call.data, context);
  const raw = alias?.toData === undefined ? call.data : translateData(call, alias, context);
  if (alias?.remark !== undefined) noteRemark(call, alias.remark, context);
  const limit = alias?.maxOutput ?? call.tool.maxOutput ?? defaultLimit;
  const metadata = describe(call, context);
  const bound = boundJsonSize(raw);
  const whole = bound === undefined ? toJson(raw, call.tool.id) : (raw as JsonValue);
  const data = context.secrets.hideInData(whole, filesOf(call));
  const size = data === raw ? bound : boundJsonSize(data);
  if (size !== undefined && size <= smallestLimit(limit, call, context)) {
    return { type: "output", data, metadata };
  }
  const limited = truncate(data, call, context) ?? limitData(data, limit);
  const fitted = call.limit === undefined ? limited : fitData(limited.data, call.limit);
  const result: ToolResult = { type: "output", data: fitted.data, metadata };
  const all = limited.whole ?? fitted.whole;
  if (all === undefined) return result;
  return spill(call, { whole: all, metadata }, context).then(() => result);
}

/** Creates the result of a failed call, whatever was thrown. */
export async function shapeFailure(
  call: Call,
  thrown: unknown,
  context: CallContext,
): Promise<ToolResult> {
  const isExpected = ToolError.isInstance(thrown) && isErrorCode(thrown.code);
  const error = isExpected ? nameToolsInError(thrown, context) : unexpected(call, thrown);
  const sentence = translate(call, error);
  const raw =
    error.partial === undefined ? sentence : `${sentence}\n\nOutput so far:\n${error.partial}`;
  const text = context.secrets.hideInData(raw, filesOf(call));
  const metadata = describe(call, context);
  metadata.error_code = error.code;
  if (error.absolutePath !== undefined) metadata.absolute_path = error.absolutePath;
  const type = error.details?.type;
  if (typeof type === "string" && type !== error.code) {
    metadata.error_type = context.secrets.hideInData(type.slice(0, maxTypeLength));
  }
  const room = Math.min(errorTextBytes, call.limit?.bytes ?? errorTextBytes);
  if (text.length * 3 <= room || utf8Length(text) <= room) {
    return { type: "error", error_text: text, metadata };
  }
  await spill(call, { whole: text, metadata }, context);
  return { type: "error", error_text: utf8Head(text, room), metadata };
}

// The files that secrets were read from, so that they can be restored there.
function filesOf({ subjects }: Call): Call["subjects"] {
  return subjects.every(isFile) ? subjects : subjects.filter(isFile);
}

function isFile({ type }: Call["subjects"][number]): boolean {
  return type === "file";
}

function noteRemark(call: Call, field: string, { secrets }: CallContext): void {
  const remark = (call.data as Readonly<Record<string, unknown>> | null | undefined)?.[field];
  if (typeof remark === "string") call.notes = [...(call.notes ?? []), secrets.hideInData(remark)];
}

function translateData(call: Call, alias: DialectAlias, context: CallContext): unknown {
  return alias.toData?.(call.data, call.args, {
    ...context.prepareEnvironment,
    given: call.given,
    durationMs: context.clock.monotonic() - call.executedMonotonic,
    outputPath: call.outputPath,
  });
}

// A dialect limits the length of a text and a call its lines, which are at most its size in bytes.
function smallestLimit(limit: OutputLimit, call: Call, { dialect }: CallContext): number {
  const certain = certainFit(limit);
  const own =
    dialect.truncate === undefined ? certain : Math.min(certain, certainFit(defaultLimit));
  if (call.limit === undefined) return own;
  return Math.min(own, call.limit.bytes, call.limit.lines ?? own);
}

function truncate(
  data: JsonValue,
  { tool }: Call,
  { dialect }: CallContext,
): LimitedData | undefined {
  const head = dialect.truncate?.(data, tool.id);
  if (head === undefined) return undefined;
  return { data: head, whole: typeof data === "string" ? data : JSON.stringify(data) };
}

function translate(call: Call, error: ToolError): string {
  const alias = call.alias as DialectAlias | undefined;
  try {
    return alias?.toErrorText?.(error, call.args) ?? error.message;
  } catch {
    // If the dialect fails, the native message is used.
    return error.message;
  }
}

function describe(call: Call, context: CallContext): Metadata {
  const metadata: Metadata = {
    duration_ms: Math.round(context.clock.monotonic() - call.startedMonotonic),
    isolation: call.isolation ?? call.tool?.isolation ?? context.computer.isolation,
  };
  if (call.within !== undefined) metadata.parent_id = call.within.id;
  if (call.changedFiles !== undefined) metadata.track_files = call.changedFiles;
  if (call.outputPath !== undefined) {
    metadata.truncated = true;
    metadata.output_path = call.outputPath;
  }
  if (call.isReversible !== undefined) metadata.reversible = call.isReversible;
  if (call.commandChanges !== undefined) describeChanges(call.commandChanges, metadata);
  if (call.discardedChanges !== undefined) {
    metadata.discarded = call.discardedChanges.slice(0, maxChanges);
  }
  if (call.persistence !== undefined) metadata.persistence = call.persistence;
  if (call.notes !== undefined) metadata.notes = call.notes;
  if (call.warnings !== undefined) metadata.warnings = call.warnings;
  if (call.hookRemarks !== undefined) metadata.hooks = call.hookRemarks;
  if (call.approval !== undefined) metadata.approval = call.approval;
  if (call.hookContext !== undefined) metadata.notices = call.hookContext;
  return metadata;
}

const maxChanges = 100;

function describeChanges(changes: readonly CommandChange[], metadata: Metadata): void {
  metadata.changes = changes.slice(0, maxChanges).map(({ keptAt, ...change }) => change);
  metadata.changes_total = changes.length;
  const kept = changes.flatMap(({ keptAt }) => keptAt ?? []);
  if (kept.length > 0) metadata.kept_at = kept.slice(0, maxChanges);
}

async function spill(
  call: Call,
  cut: { readonly whole: string; readonly metadata: Metadata },
  context: CallContext,
): Promise<void> {
  cut.metadata.truncated = true;
  // The tool has written a sidecar itself.
  if (cut.metadata.output_path !== undefined) return;
  try {
    cut.metadata.output_path = await context.storage.sidecars.write(call.id, cut.whole);
  } catch (error) {
    // The call has succeeded and its head is returned, so losing the rest is only a warning.
    const message = `The whole output (${utf8Length(cut.whole)} bytes) could not be saved: ${toErrorMessage(error)}`;
    cut.metadata.warnings = [...(cut.metadata.warnings ?? []), message];
    context.events.warn(message);
  }
}

function unexpected(call: Call, thrown: unknown): ToolError {
  const text = `${call.name} failed unexpectedly: ${toErrorMessage(thrown)}`;
  return new ToolError("internal", text, { cause: thrown });
}
