import { setTimeout as delay } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/** A subscription to notices of PostgreSQL's. */
export interface Channel {
  close(): Promise<void>;
}

/** What hears notices. */
export interface ChannelListener {
  /** A notice arrived. */
  heard(payload: string): void;
  /** The connection was lost and is there again: notices may have been missed. */
  resumed(): void;
}

const pauseMs = 500;

/** Listens to a channel until it is closed; a connection that breaks is made anew. */
export async function openChannel(
  pool: Pool,
  name: string,
  listener: ChannelListener,
): Promise<Channel> {
  const stop = new AbortController();
  let client: PoolClient | undefined;

  const connect = async (): Promise<void> => {
    const fresh = await pool.connect();
    fresh.on("notification", ({ channel, payload }) => {
      if (channel === name) listener.heard(payload ?? "");
    });
    fresh.once("error", () => {
      client = undefined;
      fresh.release(true);
      void reconnect();
    });
    await fresh.query(`listen ${JSON.stringify(name)}`);
    client = fresh;
  };
  const reconnect = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await connect();
        listener.resumed();
        return;
      } catch {
        await delay(pauseMs, undefined, { ref: false });
      }
    }
  };

  await connect();
  return {
    close: async () => {
      stop.abort();
      // Its subscription ends with the connection, so nobody else may get it.
      client?.release(true);
      client = undefined;
    },
  };
}
