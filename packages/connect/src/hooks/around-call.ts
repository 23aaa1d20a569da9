import type { HookRemark } from "@haft/contract";
import { clipText, toErrorMessage } from "@haft/contract/internal";
import type { HookedCall, HookedEnd, HookedResult, HookVerdict } from "@haft/core";
import { type CallView, viewCall } from "./call-view.ts";
import type { FileAnswer, HookEngine } from "./hook-engine.ts";
import type { HookFile } from "./hook-file.ts";
import { isFailure, toErrorText, toToolResponse } from "./tool-response.ts";

type Fields = Readonly<Record<string, unknown>>;

const maxShownInput = 2_000;

/**
 * Runs the hooks before a call, file after file: each sees the arguments as the files before changed
 * them. The first refusal ends it.
 */
export async function runBefore(
  call: HookedCall,
  engine: HookEngine,
  context: string[],
): Promise<HookVerdict> {
  const remarks: HookRemark[] = [];
  let args = call.arguments;
  let ask: string | undefined;
  for (const file of engine.files) {
    const views = viewCall({ ...call, arguments: args }, file.format, engine.root);
    for (const view of views) {
      const answers = await engine.runFile(file, "before", {
        ...toOccasion(call, view),
        toFields: () => toCallFields(call, view, file),
      });
      let { input } = view;
      for (const one of answers) {
        remarks.push(...toRemarks(one));
        if (one.context !== undefined) context.push(`${one.event} hook: ${one.context}`);
        const name = `the ${one.event} hook ${one.label}`;
        const reason = one.block ?? one.stop;
        if (reason !== undefined)
          return { deny: `${name}: ${endSentence(reason)}`, context, remarks };
        if (one.ask !== undefined) ask = `${name} asks: ${one.ask}`;
        if (one.input === undefined) continue;
        input = file.format === "gemini" ? { ...input, ...one.input } : one.input;
        const changed = changeArguments(views, input);
        if (changed.fault !== undefined) {
          return { deny: `${name}, because ${changed.fault}.`, context, remarks };
        }
        args = changed.arguments;
      }
    }
  }
  return {
    context,
    remarks,
    ...(ask !== undefined && { ask }),
    ...(args !== call.arguments && { arguments: args }),
  };
}

/** Runs the hooks before a person is asked about a call. They can refuse it, and nothing else. */
export async function runPermission(call: HookedCall, engine: HookEngine): Promise<HookVerdict> {
  const remarks: HookRemark[] = [];
  for (const file of engine.files) {
    for (const view of viewCall(call, file.format, engine.root)) {
      const answers = await engine.runFile(file, "permission", {
        ...toOccasion(call, view),
        toFields: () => toCallFields(call, view, file),
      });
      for (const one of answers) {
        remarks.push(...toRemarks(one));
        if (one.block === undefined) continue;
        const deny = `the ${one.event} hook ${one.label}: ${endSentence(one.block)}`;
        return { deny, context: [], remarks };
      }
    }
  }
  return { context: [], remarks };
}

/** Runs the hooks after a call. */
export async function runAfter(
  call: HookedCall,
  end: HookedEnd,
  engine: HookEngine,
): Promise<HookedResult> {
  const remarks: HookRemark[] = [];
  const context: string[] = [];
  let replaced: Pick<HookedResult, "data" | "error"> = {};
  for (const file of engine.files) {
    const { format } = file;
    for (const view of viewCall(call, format, engine.root)) {
      const ended = { call, view, end };
      const failed = isFailure(ended, format);
      // Codex runs no hooks for calls that fail. Gemini CLI makes no difference.
      if (failed && format === "codex") continue;
      const moment = failed && format === "claude" ? "failure" : "after";
      const answers = await engine.runFile(file, moment, {
        ...toOccasion(call, view),
        toFields: () => ({
          ...toCallFields(call, view, file),
          ...(moment === "failure"
            ? { error: toErrorText(ended), is_interrupt: isInterrupted(end) }
            : { tool_response: toToolResponse(ended, format) }),
          ...(format === "claude" && { duration_ms: end.durationMs }),
        }),
      });
      for (const one of answers) {
        remarks.push(...toRemarks(one));
        if (one.context !== undefined) context.push(`${one.event} hook: ${one.context}`);
        if (one.data !== undefined) replaced = { data: one.data };
        const reason = one.block ?? (format === "codex" ? one.stop : undefined);
        if (reason === undefined) continue;
        // Claude Code adds the reason to the result, the others show it instead.
        if (format === "claude") context.push(`${one.event} hook blocked: ${reason}`);
        else replaced = { error: `${one.event} hook: ${reason}` };
      }
    }
  }
  return { ...replaced, context, remarks };
}

function toOccasion(
  { session, signal }: HookedCall,
  { name, otherNames }: CallView,
): { names: readonly string[]; session: string; signal: AbortSignal } {
  return { names: [name, ...otherNames], session, signal };
}

function toCallFields(call: HookedCall, view: CallView, { format }: HookFile): Fields {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/u.exec(call.tool.id) ?? [];
  return {
    tool_name: view.name,
    tool_input: view.input,
    ...(format !== "gemini" && { tool_use_id: call.callId }),
    ...(format === "gemini" &&
      server !== undefined && { mcp_context: { server_name: server, tool_name: tool } }),
  };
}

function changeArguments(
  [view, ...others]: readonly CallView[],
  input: Fields,
): { readonly arguments: unknown; readonly fault?: undefined } | { readonly fault: string } {
  if (view?.toArguments === undefined || others.length > 0) {
    return { fault: `it changed the arguments, which can't be done for this tool` };
  }
  try {
    return { arguments: view.toArguments(input) };
  } catch (error) {
    return { fault: `its changed arguments are not valid: ${toErrorMessage(error)}` };
  }
}

function toRemarks(answer: FileAnswer): readonly HookRemark[] {
  const { event, label: hook, block, ask, input, context, data, stop, failure } = answer;
  const found: [HookRemark["did"], string | undefined][] = [
    ["denied", block],
    ["asked", ask],
    ["changed the arguments", input && clipText(JSON.stringify(input), maxShownInput)],
    ["added context", context],
    ["replaced the result", data === undefined ? undefined : ""],
    ["stopped the agent", stop],
    ["failed", failure],
  ];
  return found.flatMap(([did, text]) => (text === undefined ? [] : [{ event, hook, did, text }]));
}

function isInterrupted({ result }: HookedEnd): boolean {
  return result.metadata.error_code === "cancelled";
}

function endSentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}
