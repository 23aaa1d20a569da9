import { type JsonValue, ToolError } from "@haft/contract";
import type { AskRequest, Host } from "@haft/core";

/** A call that a person has to approve before it runs. */
export interface Approval {
  readonly tool: string;
  /** As they would be executed. */
  readonly arguments: JsonValue;
  readonly reason: string;
}

/** The host of the page's session. */
export interface WorkbenchHost extends Host {
  /** Records, before a call, what its request approves: the approval as shown, or anything (`true`). */
  expect(callId: string, approved: Approval | boolean): void;
  /** Forgets the call, and returns the approval that was missing. */
  forget(callId: string): Approval | undefined;
}

interface Expected {
  readonly approved: Approval | boolean;
  refused?: Approval;
}

/**
 * Creates the host of the page's session. The page can't be asked while a call waits, so a call runs
 * only if its own request contains the approval of exactly these arguments. If something has changed
 * since it was shown, such as the target of a path, it is shown again.
 */
export function createWorkbenchHost(): WorkbenchHost {
  const expected = new Map<string, Expected>();
  return {
    headless: false,
    expect: (callId, approved) => {
      expected.set(callId, { approved });
    },
    forget: (callId) => {
      const { refused } = expected.get(callId) ?? {};
      expected.delete(callId);
      return refused;
    },
    ask: async (request) => {
      const call = expected.get(request.callId);
      const approval = toApproval(request);
      if (call?.approved === true || isSame(call?.approved, approval)) return { answer: "once" };
      if (call !== undefined) call.refused = approval;
      throw new ToolError(
        "headless",
        `This call needs your approval (${request.reason}). It was not run; approve it to run it.`,
      );
    },
    question: async () => {
      throw new ToolError("headless", "The workbench can't show questions yet.");
    },
  };
}

function toApproval({ tool, arguments: args, reason }: AskRequest): Approval {
  return { tool, arguments: args, reason };
}

function isSame(given: unknown, approval: Approval): boolean {
  return JSON.stringify(given) === JSON.stringify(approval);
}
