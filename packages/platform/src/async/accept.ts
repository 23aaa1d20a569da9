import type { Kysely } from "kysely";
import type { Principal } from "../auth/principal.ts";
import type { ReadyCall } from "../invoke/create-invoker.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { asyncRequestContext } from "../secrets/sealed-context.ts";
import type { Tables } from "../store/schema.ts";
import type { AcceptedInvocations } from "./async-schemas.ts";
import type { InvocationEvents } from "./events.ts";

/** Stores invocations to be run later. */
export interface Acceptance {
  /**
   * Stores every input of a call. When this resolves, each will be run even if this process dies.
   * Returns the IDs of the invocations.
   */
  accept(
    principal: Principal,
    ready: ReadyCall,
    options?: AcceptOptions,
  ): Promise<readonly string[]>;
}

/** Options of an acceptance. */
export interface AcceptOptions {
  /** A webhook that is told of the ends. */
  readonly webhookId?: string | null;
  /** Is done in the same transaction. */
  readonly also?: (db: Kysely<Tables>, ids: readonly string[]) => Promise<void>;
}

const dayMs = 86_400_000;

/** Creates what accepts invocations. */
export function createAcceptance(
  parts: Pick<PlatformParts, "store" | "secrets" | "settings" | "now"> & {
    readonly events: InvocationEvents;
  },
): Acceptance {
  const { store, secrets, settings, now } = parts;
  return {
    accept: async ({ organization, userId, keyId }, ready, options = {}) => {
      const { webhookId = null, also } = options;
      const accepted = ready.describe();
      const ids = accepted.map(({ draft }) => draft.id);
      await store.db.transaction().execute(async (db) => {
        if (webhookId !== null) await requireWebhook(db, organization, webhookId);
        const { count } = await db
          .selectFrom("async_invocations")
          .select(({ fn }) => fn.countAll<number>().as("count"))
          .where("org_id", "=", organization)
          .where("state", "in", ["queued", "running", "waiting"])
          .executeTakeFirstOrThrow();
        if (Number(count) + ids.length > settings.async.maxUnfinished) throw tooMany(settings);
        const at = now();
        const rows = accepted.map(({ draft, versionId, request }) => ({
          ...{ id: draft.id, org_id: organization, tool_id: draft.tool_id, version_id: versionId },
          ...{ user_id: userId, key_id: keyId, state: "queued" as const, owner: null, attempt: 0 },
          is_cancelled: 0 as const,
          request: secrets.seal(
            JSON.stringify(request),
            asyncRequestContext(organization, draft.id),
          ),
          draft: JSON.stringify(draft),
          ...{ printed: null, active_ms: 0, wake_at: null, created_at: at, updated_at: at },
          expires_at: Math.round(at + settings.async.maxWaitDays * dayMs),
          webhook_id: webhookId,
        }));
        await db.insertInto("async_invocations").values(rows).execute();
        for (const invocationId of ids) {
          const data = JSON.stringify({ state: "queued" });
          await parts.events.addIn(db, { invocationId, event: "state", data });
        }
        await also?.(db, ids);
      });
      return ids;
    },
  };
}

/** Creates the response for invocations that were accepted. */
export function toAccepted(
  organization: string,
  ids: readonly string[],
  headers: Readonly<Record<string, string>>,
): {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AcceptedInvocations;
} {
  const invocations = ids.map((id) => {
    const base = `/v1/${organization}/tool/invocation/${id}`;
    return {
      id,
      status_url: `${base}/status`,
      events_url: `${base}/events`,
      cancel_url: `${base}/cancel`,
    };
  });
  const [only, ...others] = invocations;
  const location = only === undefined || others.length > 0 ? {} : { location: only.status_url };
  return {
    status: 202,
    headers: { ...headers, "preference-applied": "respond-async", ...location },
    body: { invocations },
  };
}

async function requireWebhook(db: Kysely<Tables>, organization: string, id: string): Promise<void> {
  const found = await db
    .selectFrom("webhooks")
    .select("enabled")
    .where("org_id", "=", organization)
    .where("id", "=", id)
    .executeTakeFirst();
  if (found?.enabled === 1) return;
  const why = found === undefined ? `There is no webhook ${id}` : `The webhook ${id} is disabled`;
  throw new Problem(
    400,
    `${why}. Name another one of the organization in webhook. Nothing was run.`,
  );
}

function tooMany({ async }: PlatformParts["settings"]): Problem {
  return new Problem(
    429,
    `The organization has ${async.maxUnfinished} asynchronous invocations that have not ended. Wait for some to end, or cancel some.`,
    { "retry-after": "60" },
  );
}
