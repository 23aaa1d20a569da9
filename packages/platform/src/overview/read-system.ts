import type { StatsFs } from "node:fs";
import type { JsonSchema } from "@haft/contract";
import type { Principal } from "../auth/principal.ts";
import { toIsoMoment } from "../iso-moment.ts";
import { listOf, moment, objectOf, text } from "../organizations/route-schemas.ts";
import type { PlatformParts } from "../platform-parts.ts";

const count: JsonSchema = { type: "integer" };

/** How the server does. */
export const systemReply: JsonSchema = objectOf({
  processes: {
    ...listOf(objectOf({ role: text, heartbeat_at: moment, is_alive: { type: "boolean" } })),
    description: "The processes that serve or work on this store.",
  },
  invocations: {
    ...objectOf({ queued: count, running: count, waiting: count }),
    description: "The organization's invocations that have not ended.",
  },
  inbox_waiting: count,
  disk: {
    anyOf: [objectOf({ free_bytes: count, total_bytes: count }), { type: "null" }],
    description: "The disk of the data directory. Null if it is not known.",
  },
});

const aliveMs = 60_000;
const shownMs = 24 * 60 * 60_000;

/** Reads how the server does, for a member of an organization. */
export async function readSystem(
  { store, now }: Pick<PlatformParts, "store" | "now">,
  { organization }: Principal,
  readDisk: () => Promise<StatsFs> | undefined,
): Promise<Record<string, unknown>> {
  const { db } = store;
  const processes = await db
    .selectFrom("processes")
    .select(["role", "heartbeat_at"])
    .where("heartbeat_at", ">", now() - shownMs)
    .orderBy("heartbeat_at", "desc")
    .limit(100)
    .execute();
  const states = await db
    .selectFrom("async_invocations")
    .select("state")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("org_id", "=", organization)
    .where("state", "in", ["queued", "running", "waiting"])
    .groupBy("state")
    .execute();
  const inState = (state: string): number =>
    Number(states.find((each) => each.state === state)?.count ?? 0);
  const running = await db
    .selectFrom("running_invocations")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("org_id", "=", organization)
    .executeTakeFirstOrThrow();
  const inbox = await db
    .selectFrom("inbox_items")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("org_id", "=", organization)
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  const disk = await readDisk()?.catch(() => undefined);
  return {
    processes: processes.map(({ role, heartbeat_at }) => ({
      role,
      heartbeat_at: toIsoMoment(heartbeat_at),
      is_alive: heartbeat_at > now() - aliveMs,
    })),
    invocations: {
      queued: inState("queued"),
      running: Math.max(inState("running"), Number(running.count)),
      waiting: inState("waiting"),
    },
    inbox_waiting: Number(inbox.count),
    disk:
      disk === undefined
        ? null
        : { free_bytes: disk.bavail * disk.bsize, total_bytes: disk.blocks * disk.bsize },
  };
}
