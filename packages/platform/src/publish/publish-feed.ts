import type { ServerSentEvent } from "../api/route.ts";

/** What is said while a tool is published, for any number of watchers. */
export interface PublishFeed {
  send(event: ServerSentEvent): void;
  /** Nothing follows; watchers come to their end, with an error if there is one. */
  end(error?: Error): void;
  /** Everything from the beginning, and then as it comes. */
  watch(): AsyncGenerator<ServerSentEvent, void, void>;
}

// A build can print without end; the operation's row has the beginning and the end of its log.
const mostEvents = 5_000;

/** Makes a feed that remembers what was said, for those who come later. */
export function createPublishFeed(): PublishFeed {
  const events: ServerSentEvent[] = [];
  let ended: { readonly error: Error | undefined } | undefined;
  let changed = Promise.withResolvers<void>();
  const wake = (): void => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  return {
    send: (event) => {
      if (event.event === "log" && events.length >= mostEvents) return;
      events.push(event);
      wake();
    },
    end: (error) => {
      ended = { error };
      wake();
    },
    watch: async function* () {
      for (let at = 0; ; ) {
        const event = events[at];
        if (event !== undefined) {
          at += 1;
          yield event;
        } else if (ended === undefined) {
          await changed.promise;
        } else {
          if (ended.error !== undefined) throw ended.error;
          return;
        }
      }
    },
  };
}
