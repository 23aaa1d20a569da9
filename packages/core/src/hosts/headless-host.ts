import { ToolError } from "@haft/contract";
import { formatRule } from "../rules/rule.ts";
import type { AskRequest, Host } from "./host.ts";

/**
 * A host without a person. It refuses calls that need approval, and questions.
 *
 * @example
 * ```ts
 * import { createSession, headlessHost, type SessionOptions } from "@haft/core";
 *
 * export function openUnattendedSession(options: SessionOptions) {
 *   return createSession({ ...options, host: headlessHost });
 * }
 * ```
 */
export const headlessHost: Host = {
  headless: true,
  ask: async (request) => {
    throw new ToolError("headless", describeRefusal(request));
  },
  question: async () => {
    throw new ToolError(
      "headless",
      "This session is not interactive, so questions can't be answered. Continue with your best judgement.",
    );
  },
};

/** Returns why a call is refused without a person, and the rules that would allow it. */
export function describeRefusal({ reason, rules }: AskRequest): string {
  const refusal = `Not run: this call needs approval, and this session is not interactive. Reason: ${reason}.`;
  if (rules.length === 0) return refusal;
  const needed = rules.map(formatRule).join("; ");
  return `${refusal} To allow it, add the ${rules.length === 1 ? "rule" : "rules"}: ${needed}`;
}
