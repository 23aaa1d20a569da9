import { setTimeout as delay } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/** A subscription to PostgreSQL notifications. */
export interface Channel {
  close(): Promise<void>;
}

/** Receives notifications. */
export interface ChannelListener {
  /** A notification arrived. */
  heard(payload: string): void;
  /** The connection was restored. Notifications may have been missed. */
  resumed(): void;
}

const pauseMs = 500;

/** Listens to a channel until it is closed. Reconnects when the connection breaks. */
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
      // The connection must not return to the pool: its subscription lasts as long as the
      // connection.
      client?.release(true);
      client = undefined;
    },
  };
}
