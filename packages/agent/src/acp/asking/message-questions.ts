import { ToolError } from "@haft/contract";
import type { AcpClient } from "../acp-client.ts";

/** Asks the user in messages. The turn ends for the client, and its next prompt is the answer. */
export interface MessageQuestions {
  /** Sends a question and resolves with the answer. Questions are asked one after the other. */
  ask(text: string, signal: AbortSignal): Promise<string>;
  /** Resolves when a question has been sent that is not answered. */
  untilAsked(): Promise<void>;
  /** Answers the question that was sent. Returns whether there is one. */
  answer(text: string): boolean;
}

/** Creates the questions of one session. */
export function createMessageQuestions(client: AcpClient): MessageQuestions {
  let last: Promise<unknown> = Promise.resolve();
  let open: ((text: string) => void) | undefined;
  let onAsked: (() => void) | undefined;

  const askNow = async (text: string, signal: AbortSignal): Promise<string> => {
    let cancel: (() => void) | undefined;
    try {
      return await new Promise((resolve, reject) => {
        cancel = () => reject(new ToolError("cancelled", "The question was cancelled."));
        if (signal.aborted) return cancel();
        signal.addEventListener("abort", cancel);
        open = resolve;
        const content = { type: "text" as const, text: `\n\n${text}\n` };
        client.update({ sessionUpdate: "agent_message_chunk", content });
        onAsked?.();
      });
    } finally {
      open = undefined;
      if (cancel !== undefined) signal.removeEventListener("abort", cancel);
    }
  };

  return {
    ask: (text, signal) => {
      const asking = last.then(() => askNow(text, signal));
      last = asking.catch(() => {});
      return asking;
    },
    untilAsked: () =>
      new Promise((resolve) => {
        onAsked = resolve;
        if (open !== undefined) resolve();
      }),
    answer: (text) => {
      open?.(text);
      const isAsked = open !== undefined;
      open = undefined;
      return isAsked;
    },
  };
}
