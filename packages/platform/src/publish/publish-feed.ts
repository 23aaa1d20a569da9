import type { ServerSentEvent } from "../api/route.ts";

/** The events of a publish, for any number of watchers. */
export interface PublishFeed {
  send(event: ServerSentEvent): void;
  /** Ends the feed for all watchers, with an error if one is given. */
  end(error?: Error): void;
  /** Yields all events so far, then new ones as they arrive. */
  watch(): AsyncGenerator<ServerSentEvent, void, void>;
}

// Builds can print a lot. The operation's row keeps the beginning and the end of the log.
const maxEvents = 5_000;

/** Creates a feed that replays past events to new watchers. */
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
      if (event.event === "log" && events.length >= maxEvents) return;
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
