import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { maxTools } from "../definition/listed-tool.ts";

/** Filters the messages between a server and the SDK. */
export interface MessageScreen {
  /** Returns the message to pass on to the SDK, or `undefined` to drop it. */
  receive(message: JSONRPCMessage): JSONRPCMessage | undefined;
  sent(message: JSONRPCMessage): void;
  /** Runs a `tools/list` request and keeps its tools from the SDK, which rejects a list with one bad tool. */
  collect<T>(list: () => Promise<T>): Promise<{ readonly page: T; readonly tools: unknown[] }>;
}

// Far more than a useful server sends per second.
const maxUnsolicited = 10_000;
const window = 1_000;

/**
 * Passes on responses and the notifications that are used. Logging and other unsolicited messages
 * are dropped. Throws if the server floods.
 */
export function createMessageScreen(): MessageScreen {
  const listings = new Set<string | number>();
  let collected: unknown[] | undefined;
  let unsolicited = 0;
  let since = 0;
  const countUnsolicited = (): void => {
    const now = performance.now();
    if (now - since > window) {
      since = now;
      unsolicited = 0;
    }
    if (++unsolicited <= maxUnsolicited) return;
    throw new Error(`it sent more than ${maxUnsolicited} unsolicited messages per second`);
  };
  return {
    sent: (message) => {
      if (collected === undefined || !("method" in message) || !("id" in message)) return;
      if (message.method === "tools/list") listings.add(message.id);
    },
    receive: (message) => {
      if ("method" in message) {
        countUnsolicited();
        return isWanted(message.method) || "id" in message ? message : undefined;
      }
      if (!("result" in message) || !listings.delete(message.id)) return message;
      const { tools } = message.result;
      if (!Array.isArray(tools)) return message;
      collected?.push(...tools.slice(0, maxTools + 1));
      return { ...message, result: { ...message.result, tools: [] } };
    },
    collect: async (list) => {
      const tools: unknown[] = [];
      collected = tools;
      try {
        return { page: await list(), tools };
      } finally {
        collected = undefined;
        listings.clear();
      }
    },
  };
}

function isWanted(method: string): boolean {
  return (
    method === "notifications/progress" ||
    method === "notifications/tools/list_changed" ||
    method === "notifications/cancelled" ||
    method.startsWith("notifications/subscriptions/")
  );
}
