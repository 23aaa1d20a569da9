import { type JsonValue, ToolError, type ToolResult } from "@haft/contract";
import { toErrorMessage } from "@haft/contract/internal";
import type { HookedCall, HookedResult, HookVerdict } from "../../hooks/session-hooks.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";
import { followHookChanges } from "../hook-changes.ts";
import { untilAborted } from "../until-aborted.ts";
import { locate } from "./locate.ts";
import { prepare } from "./prepare.ts";
import { validate } from "./validate.ts";

/** Lets hooks refuse the call, require approval, change its arguments or add text for the model. */
export function hooks(call: Call, context: CallContext): undefined | Promise<void> {
  if (context.hooks === undefined) return undefined;
  const verdict = context.hooks.before(toHookedCall(call, context));
  if (verdict === undefined) return undefined;
  return untilAborted(call, Promise.resolve(verdict)).then((given) => {
    return given === undefined ? undefined : applyVerdict(call, given, context);
  });
}

/** Has a person asked if a hook requires it, whatever rules and watchdog allow. */
export function hookQuestion(call: Call): void {
  if (call.hookReason === undefined) return;
  const reasons = [call.hookReason, ...(call.askReason === undefined ? [] : [call.askReason])];
  call.askReason = reasons.join("; ");
  call.isReviewed = false;
  // The hook asks again next time, so no rule can be stored for it.
  call.isWatched = true;
  call.watchdogRule = undefined;
}

/** Shows hooks the result of a call that was executed. They can add text for the model or replace it. */
export async function hookResult(
  call: Call,
  result: ToolResult,
  context: CallContext,
): Promise<ToolResult> {
  if (context.hooks === undefined || !call.wasExecuted) return result;
  const durationMs = Math.round(context.clock.monotonic() - call.executedMonotonic);
  const data =
    result.type === "output" ? context.secrets.hideInData(call.data as JsonValue) : undefined;
  const end = { result, data, durationMs };
  try {
    const recordChanges = call.changedFiles && (await followHookChanges(call, context));
    const given = await context.hooks.after(toHookedCall(call, context), end);
    await recordChanges?.();
    return given === undefined ? result : applyResult(call, given, { result, context });
  } catch (error) {
    const { metadata } = result;
    metadata.warnings = [...(metadata.warnings ?? []), `Hooks failed: ${toErrorMessage(error)}`];
    return result;
  }
}

function toHookedCall(call: Call, { storage, dialect }: CallContext): HookedCall {
  const { id, tool, args, given } = call;
  return {
    session: storage.id,
    callId: id,
    tool,
    arguments: args,
    given,
    dialect: dialect.name,
    signal: call.signal,
  };
}

/** Lets hooks refuse a call before a person is asked about it. */
export async function askHooks(call: Call, reason: string, context: CallContext): Promise<void> {
  const verdict = await context.hooks?.onAsk?.(toHookedCall(call, context), reason);
  if (verdict !== undefined) noteVerdict(call, verdict, context);
}

async function applyVerdict(call: Call, given: HookVerdict, context: CallContext): Promise<void> {
  noteVerdict(call, given, context);
  call.hookReason = given.ask;
  if (given.arguments === undefined) return;
  call.args = structuredClone(given.arguments);
  call.argsFit = false;
  // What a person approved was another call.
  call.isApproved = false;
  prepare(call, context);
  validate(call);
  await locate(call, context);
}

function noteVerdict(
  call: Call,
  { deny, context: texts, remarks }: HookVerdict,
  context: CallContext,
): void {
  if (remarks.length > 0) {
    const added = context.secrets.hideInData([...remarks]);
    call.hookRemarks = [...(call.hookRemarks ?? []), ...added];
  }
  addContext(call, texts, context);
  if (deny === undefined) return;
  throw new ToolError("denied", `${call.name} was refused by ${deny} It was not run.`);
}

function applyResult(
  call: Call,
  given: HookedResult,
  { result, context }: { readonly result: ToolResult; readonly context: CallContext },
): ToolResult {
  const { secrets } = context;
  const { metadata } = result;
  addContext(call, given.context, context);
  if (call.hookContext !== undefined) metadata.notices = call.hookContext;
  if (given.remarks.length > 0) {
    metadata.hooks = [...(metadata.hooks ?? []), ...secrets.hideInData([...given.remarks])];
  }
  if (given.error !== undefined) {
    metadata.error_code = "denied";
    return { type: "error", error_text: secrets.hideInData(given.error), metadata };
  }
  if (given.data === undefined || result.type === "error") return result;
  return { type: "output", data: secrets.hideInData(given.data), metadata };
}

// The model does not see the results of a program's calls, but that of the program.
function addContext(call: Call, texts: readonly string[], { secrets }: CallContext): void {
  if (texts.length === 0) return;
  const { owner } = call;
  owner.hookContext = [
    ...(owner.hookContext ?? []),
    ...texts.map((text) => secrets.hideInData(text)),
  ];
}
