import type { JsonValue } from "@haft/contract";
import { hashText } from "../hash-text.ts";
import type { Call } from "../path/call.ts";
import type { CallContext } from "../path/context.ts";
import { callKey } from "../recorder/call-key.ts";
import { isStorable, type Rule } from "../rules/rule.ts";
import type { WatchdogVerdict } from "./watchdog.ts";

/**
 * Returns the rule that answers a question of the watchdog for exactly this call and no other:
 * `watchdog:SHAPE TOOL COMMAND allow`. A rule that would hold a secret can't be stored.
 */
export function toWatchdogRule(
  call: Call,
  { shape, reason }: Exclude<WatchdogVerdict, { action: "allow" }>,
  { computer, secrets }: CallContext,
): Rule | undefined {
  // A watchdog of the host need not name what it recognises. Its reason stands for it then.
  const name =
    shape !== undefined && shapeName.test(shape) ? shape : hashText(`${shape} ${reason}`);
  const pattern = describeExactly(call, computer.roots);
  const rule: Rule = { permission: `watchdog:${name}`, pattern, action: "allow" };
  return isStorable(rule) && secrets.hide(pattern) === pattern ? rule : undefined;
}

const shapeName = /^[a-z][a-z+-]{0,200}$/u;

function describeExactly({ tool, subjects, args }: Call, roots: readonly string[]): string {
  const [subject] = subjects;
  if (subjects.length !== 1 || subject?.type !== "command")
    return callKey(tool.id, args as JsonValue);
  const { key: command, cwd } = subject;
  return cwd === roots[0] ? `${tool.id} ${command}` : callKey(tool.id, { command, cwd: cwd ?? "" });
}
