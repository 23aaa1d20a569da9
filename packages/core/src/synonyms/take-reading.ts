import type { Tool } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import { findPatch } from "../dialects/codex/find-patch.ts";
import type { Call } from "../path/call.ts";
import type { CallContext } from "../path/context.ts";
import { findReading } from "./find-reading.ts";

/**
 * Understands a call in the words of other families of agents, if exactly one reading is possible. Then
 * the call has its tool and arguments, which all further checks judge. Returns the tools that may be meant.
 */
export function takeReading(call: Call, context: CallContext): readonly Tool[] {
  const { meant, reading } = findReading(call, context);
  if (reading === undefined) return meant;
  const { tool, alias, args, note } = reading;
  call.tool = tool;
  call.alias = alias;
  call.given = args;
  call.args = alias?.toArguments?.(args) ?? args;
  call.notes = [...(call.notes ?? []), note];
  return meant;
}

/** Treats a command that only calls `apply_patch` as a call of that tool. */
export function readPatchCommand(call: Call, context: CallContext): void {
  if (call.tool.source !== "builtin" || !isPlainObject(call.args)) return;
  const { command, cwd } = call.args;
  if (typeof command !== "string" || !/^\s*apply_?patch\s/u.test(command)) return;
  const patch = findPatch(command, typeof cwd === "string" ? cwd : undefined);
  const tool = context.snapshot().get("apply_patch");
  if (patch === undefined || tool?.source !== "builtin") return;
  call.tool = tool;
  call.alias = undefined;
  call.args = { patch };
  call.notes = [...(call.notes ?? []), "The command was read as a call of apply_patch."];
}
