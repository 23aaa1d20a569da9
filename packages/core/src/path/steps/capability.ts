import { type Grant, ToolError } from "@haft/contract";
import type { Subject } from "../../rules/subject.ts";
import type { Call } from "../call.ts";
import type { CallContext } from "../context.ts";

/**
 * Refuses a call whose declared paths, hosts or commands lie outside the grant. The capability
 * surface checks again, where each path lands, when the tool really uses it.
 */
export function capability(call: Call, context: CallContext): void {
  call.grant = context.grantOf(call.tool);
  for (const subject of call.subjects) {
    if (!isGranted(call.grant, subject)) throw outOfScope(call, subject, context);
  }
}

function isGranted(grant: Grant, subject: Subject): boolean {
  switch (subject.type) {
    case "file":
      return subject.mode === "write" ? grant.mayWrite(subject.key) : grant.mayRead(subject.key);
    case "host":
      return grant.mayReach(subject.key);
    case "command":
      return grant.mayRun(subject.key.trim().split(/\s+/u));
    default:
      return true;
  }
}

function outOfScope(call: Call, subject: Subject, context: CallContext): ToolError {
  if (subject.type !== "file") {
    return new ToolError(
      "out-of-scope",
      `${call.name} may not use the ${subject.type} ${subject.key} in this session.`,
    );
  }
  const roots = context.computer.roots.join(", ");
  return new ToolError(
    "out-of-scope",
    `${call.name} may not ${subject.mode} ${subject.key}: it lies outside what this session was granted. The workspace is ${roots}.`,
    { absolutePath: subject.key },
  );
}
