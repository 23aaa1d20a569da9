import type { ResourceKey } from "@haft/contract";
import { toSubjects } from "../rules/subject.ts";
import type { Footprint } from "../schedule/conflicts.ts";
import type { Call } from "./call.ts";
import type { CallContext } from "./context.ts";

/**
 * Determines what a validated call touches, for the checks and for calls that wait for it. For tools
 * that run programs it first waits until the shell is prepared.
 */
export function findFootprint(call: Call, context: CallContext): Footprint | Promise<Footprint> {
  const preparing = call.tool.requires.shell && context.computer.prepareShell();
  return preparing === undefined
    ? describeFootprint(call, context)
    : preparing.then(() => describeFootprint(call, context));
}

function describeFootprint(call: Call, { computer }: CallContext): Footprint {
  const { execution, id } = call.tool;
  if (execution === undefined) return { tool: id, serial: false, subjects: undefined };
  if (execution.passive) return { tool: id, serial: false, passive: true, subjects: call.subjects };
  const keys = execution.resourceKeys?.(call.args);
  if (keys === undefined) {
    return { tool: id, serial: execution.serial ?? false, subjects: call.subjects };
  }
  call.subjects = toSubjects(keys, computer);
  if (!keys.some(isCommand)) {
    return { tool: id, serial: execution.serial ?? false, subjects: call.subjects };
  }
  // A command may touch anything below the roots. Read-only commands can run beside other readers.
  const onlyReads = call.subjects.every(
    ({ reading, mode }) => reading?.readsOnly ?? mode === "read",
  );
  const everything = computer.roots.map(
    (key) => ({ type: "file", key, mode: "read", tree: true }) as const,
  );
  return { tool: id, serial: !onlyReads, subjects: everything };
}

function isCommand({ type }: ResourceKey): boolean {
  return type === "command";
}
