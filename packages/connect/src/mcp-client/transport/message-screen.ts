import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** Stands between a server and the protocol's library. */
export interface MessageScreen {
  /** A message of the server's as the library may see it; `undefined` if it need not. */
  receive(message: JSONRPCMessage): JSONRPCMessage | undefined;
  sent(message: JSONRPCMessage): void;
  /** While it runs, listed tools are kept from the library, which knows no list but a faultless one. */
  collect<T>(list: () => Promise<T>): Promise<{ readonly page: T; readonly tools: unknown[] }>;
}

// More than any server with something to say sends in a second.
const mostUnasked = 10_000;
const window = 1_000;

/**
 * Lets through what somebody waits for. Logging and other unasked messages go no further; a
 * server that floods makes it throw.
 */
export function createMessageScreen(): MessageScreen {
  const listings = new Set<string | number>();
  let collected: unknown[] | undefined;
  let unasked = 0;
  let since = 0;
  const countUnasked = (): void => {
    const now = performance.now();
    if (now - since > window) {
      since = now;
      unasked = 0;
    }
    if (++unasked <= mostUnasked) return;
    throw new Error(`it sent ${mostUnasked} messages a second that nobody asked for`);
  };
  return {
    sent: (message) => {
      if (collected === undefined || !("method" in message) || !("id" in message)) return;
      if (message.method === "tools/list") listings.add(message.id);
    },
    receive: (message) => {
      if ("method" in message) {
        countUnasked();
        return isWanted(message.method) || "id" in message ? message : undefined;
      }
      if (!("result" in message) || !listings.delete(message.id)) return message;
      const { tools } = message.result;
      if (!Array.isArray(tools)) return message;
      collected?.push(...tools.slice(0, mostPerPage));
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

const mostPerPage = 20_000;

function isWanted(method: string): boolean {
  return (
    method === "notifications/progress" ||
    method === "notifications/tools/list_changed" ||
    method === "notifications/cancelled" ||
    method.startsWith("notifications/subscriptions/")
  );
}
