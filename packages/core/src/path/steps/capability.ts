import { type Grant, ToolError } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { findUngranted } from "../../commands/find-ungranted.ts";
import type { Subject } from "../../rules/subject.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

const maxShownPrograms = 5;

/**
 * Refuses a call whose declared paths, hosts, commands or capabilities are outside the grant. The computer checks
 * each path again, after following links, when the tool uses it.
 */
export function capability(call: Call, context: CallContext): void {
  call.grant = context.grantOf(call.tool);
  requireCapabilities(call);
  requirePrograms(call);
  for (const subject of call.subjects) {
    if (subject.type === "command") requireCommand(call, subject, context);
    else if (!isGranted(call.grant, subject)) throw outOfScope(call, subject, context);
  }
}

// Calls don't name capabilities: a tool uses those that it declares.
function requireCapabilities({ name, tool, grant }: Call): void {
  const missing = tool.requires.capabilities?.find((capability) => !grant.has(capability));
  if (missing === undefined) return;
  const text = `${name} may not use the capability ${missing} in this session.`;
  throw new ToolError("out-of-scope", text);
}

// A call that names its command is judged by that. Other tools choose what they run as they run.
function requirePrograms({ name, tool, grant, subjects }: Call): void {
  const { shell = [] } = tool.requires;
  if (shell.length === 0 || subjects.some(({ type }) => type === "command")) return;
  const { programs: granted } = grant.places;
  const isAny = (cmd: string): boolean => cmd === "*" && granted.length > 0;
  if (shell.some(({ cmd }) => isAny(cmd) || granted.includes(cmd))) return;
  const needed = [...new Set(shell.map(({ cmd }) => (cmd === "*" ? "commands" : cmd)))];
  const more = needed.length - maxShownPrograms;
  const shown = needed.slice(0, maxShownPrograms).join(", ");
  const text = more > 0 ? `${shown} and ${more} others` : shown;
  throw new ToolError(
    "out-of-scope",
    `${name} can't be used in this session: it runs ${text}, and the session may run none of that.`,
  );
}

function isGranted(grant: Grant, subject: Subject): boolean {
  switch (subject.type) {
    case "file":
      return subject.mode === "write" ? grant.mayWrite(subject.key) : grant.mayRead(subject.key);
    case "host":
      return grant.mayReach(subject.key);
    default:
      return true;
  }
}

function requireCommand(call: Call, subject: Subject, context: CallContext): void {
  const { cwd, reading } = subject;
  if (cwd !== undefined && !context.computer.roots.some((root) => isInside(root, cwd))) {
    const place: Subject = { type: "file", key: cwd, mode: "read", tree: true };
    throw outOfScope(call, place, context);
  }
  if (reading === undefined) return;
  const ungranted = findUngranted(reading, call.grant);
  if (ungranted !== undefined) {
    throw new ToolError("out-of-scope", `${call.name} may not run ${ungranted} in this session.`);
  }
  const isSandboxed = context.computer.shellIsolation === "sandbox";
  for (const { path, landing, refusal, isPrivate } of reading.writes) {
    if (path === undefined || (isPrivate === true && isSandboxed)) continue;
    if (refusal !== undefined) throw new ToolError("denied", refusal, { absolutePath: path });
    const write: Subject = { type: "file", key: path, mode: "write", tree: false };
    // The error does not say where links lead.
    const isGranted = call.grant.mayWrite(path) && call.grant.mayWrite(landing ?? path);
    if (!isGranted) throw outOfScope(call, write, context);
  }
}

function outOfScope(call: Call, subject: Subject, context: CallContext): ToolError {
  if (subject.type !== "file") {
    return new ToolError(
      "out-of-scope",
      `${call.name} may not use the ${subject.type} ${subject.key} in this session.`,
    );
  }
  const { roots: own, variables } = context.computer;
  const { roots: more = [] } = context.manifest();
  const roots = [...own, ...more];
  const readOnly = variables["read-only"]?.find((root) => isInside(root, subject.key));
  if (subject.mode === "write" && readOnly !== undefined) {
    return new ToolError(
      "out-of-scope",
      `${call.name} may not write ${subject.key}: ${readOnly} is read-only in this session.`,
      { absolutePath: subject.key },
    );
  }
  return new ToolError(
    "out-of-scope",
    `${call.name} may not ${subject.mode} ${subject.key}: it is outside what this session may access. The workspace is ${roots.join(", ")}.`,
    { absolutePath: subject.key },
  );
}
