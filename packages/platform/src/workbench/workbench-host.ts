import { type JsonValue, ToolError } from "@haft/contract";
import type { AskRequest, Host } from "@haft/core";

/** What a person has to approve before it runs. */
export interface Approval {
  readonly tool: string;
  /** As they would be executed. */
  readonly arguments: JsonValue;
  readonly reason: string;
}

/** Whose word counts for which call. */
export interface WorkbenchHost extends Host {
  /** Says before a call is made whether its own request approves of it. */
  expect(callId: string, approved: boolean): void;
  /** Forgets the call, and says what was asked in vain. */
  forget(callId: string): Approval | undefined;
}

interface Expected {
  readonly approved: boolean;
  refused?: Approval;
}

/**
 * Makes the host of the page's session. The page can't be asked while a call waits, so that a call
 * runs only if the request that made it, with these very arguments, brought the approval along.
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
      if (call?.approved) return { answer: "once" };
      if (call !== undefined) call.refused = toApproval(request);
      throw new ToolError(
        "headless",
        `This call needs your approval (${request.reason}). It was not run; approve it to run it.`,
      );
    },
    question: async () => {
      throw new ToolError("headless", "The workbench can't put questions to you yet.");
    },
  };
}

function toApproval({ tool, arguments: args, reason }: AskRequest): Approval {
  return { tool, arguments: args, reason };
}
