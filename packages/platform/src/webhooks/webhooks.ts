import { randomBytes } from "node:crypto";
import { createUrlGuard } from "@haft/computer/internal";
import type { Kysely } from "kysely";
import type { Principal } from "../auth/principal.ts";
import type { SessionItems } from "../inbox/session-items.ts";
import { toIsoMoment } from "../iso-moment.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import { webhookSecretContext } from "../secrets/sealed-context.ts";
import type { Tables, WebhookRow } from "../store/schema.ts";
import { isTextList, readStoredJsonOr } from "../store/stored-json.ts";
import { toTagFilter } from "../tools/tags.ts";
import { requireNamedTool } from "../tools/tool-sets.ts";
import type { FilledWebhook, IssuedWebhook, Webhook, WebhookChange } from "./wire-webhook.ts";

/** An organization's webhooks. */
export interface Webhooks {
  /** Returns it with its secret, which can't be read again. */
  create(principal: Principal, webhook: FilledWebhook): Promise<IssuedWebhook>;
  list(organization: string): Promise<readonly Webhook[]>;
  /** Throws a `Problem` 404. */
  require(organization: string, id: string): Promise<WebhookRow>;
  update(principal: Principal, id: string, change: WebhookChange): Promise<Webhook>;
  /** Makes a new secret. Until the overlap is over, deliveries are signed with the old one, too. */
  rotate(principal: Principal, id: string, overlapHours: number): Promise<IssuedWebhook>;
  /** Removes it with its deliveries. */
  delete(principal: Principal, id: string): Promise<void>;
}

type Parts = Pick<PlatformParts, "store" | "secrets" | "audit" | "settings" | "now"> & {
  /** The calls of sessions on this machine. Default: there are none. */
  readonly sessions?: Pick<SessionItems, "isOpenTo"> | undefined;
};

const hourMs = 3_600_000;

/** Keeps webhooks. */
export function createWebhooks(parts: Parts): Webhooks {
  const { store, audit, settings, now } = parts;
  const { db } = store;
  const findRefusal = createUrlGuard(settings.webhooks.allowedHosts);

  const require: Webhooks["require"] = async (organization, id) => {
    const query = db.selectFrom("webhooks").selectAll().where("org_id", "=", organization);
    const row = await query.where("id", "=", id).executeTakeFirst();
    if (row === undefined) throw noSuchWebhook(id);
    return row;
  };
  const requireMaySeeSessions = (principal: Principal): void => {
    if (parts.sessions === undefined) {
      throw new Problem(
        400,
        "This server does not see the sessions of its machine. Only haft serve with the role all on a loopback address does.",
      );
    }
    if (parts.sessions.isOpenTo(principal)) return;
    throw new Problem(
      403,
      "Calls of sessions run with the rights of the user who runs the server, so sessions requires every permission of this machine's own organization.",
    );
  };
  const requireUrl = (text: string): string => {
    const refusal = findRefusal(text);
    if (refusal === undefined) return new URL(text).href;
    const msg = `The URL ${refusal}. Give a public https address, or have the operator add the host to webhooks.allowedHosts in settings.json.`;
    throw new InvalidRequest([{ loc: ["body", "url"], msg, type: "value_error" }]);
  };
  /** Checks the given fields and returns their columns. */
  const toColumns = async (
    principal: Principal,
    { url, events, description, tools, tags, links, synchronous, sessions, enabled }: WebhookChange,
  ): Promise<Partial<WebhookRow>> => {
    if (links === true) requireMayAnswer(principal);
    if (sessions === true) requireMaySeeSessions(principal);
    if (tags !== undefined && tags !== null) toTagFilter(tags, ["body", "tags"]);
    const ids = tools && (await findTools(db, principal.organization, tools));
    return {
      ...(url !== undefined && { url: requireUrl(url) }),
      ...(events !== undefined && { events: JSON.stringify(events) }),
      ...(description !== undefined && { description }),
      ...(tools !== undefined && { tools: ids ? JSON.stringify(ids) : null }),
      ...(tags !== undefined && { tags: tags === null ? null : JSON.stringify(tags) }),
      ...(links !== undefined && { links: links ? 1 : 0 }),
      ...(synchronous !== undefined && { synchronous: synchronous ? 1 : 0 }),
      ...(sessions !== undefined && { sessions: sessions ? 1 : 0 }),
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
      ...(enabled === true && { failures: 0, disabled_reason: null }),
    };
  };
  const seal = ({ org_id, id }: Pick<WebhookRow, "org_id" | "id">, text: string): string =>
    parts.secrets.seal(text, webhookSecretContext(org_id, id, "secret"));

  return {
    require,
    create: async (principal, given) => {
      const { organization: org_id, userId } = principal;
      const columns = (await toColumns(principal, given)) as Omit<WebhookRow, "id">;
      const [at, secret] = [now(), newSecret()];
      const id = newId(at);
      const row: WebhookRow = {
        ...{ ...columns, id, org_id, disabled_reason: null, failures: 0, user_id: userId },
        ...{ secret: seal({ org_id, id }, secret), previous_secret: "", previous_until: null },
        ...{ created_at: at, updated_at: at },
      };
      await db.transaction().execute(async (transaction) => {
        await transaction.insertInto("webhooks").values(row).execute();
        await requireRoom(transaction, org_id, settings.webhooks.maxWebhooks);
        const detail = toDetail({ ...given, url: row.url });
        await audit.record(transaction, principal, {
          action: "webhook.create",
          target: id,
          detail,
        });
      });
      store.touch();
      return { ...toWebhook(row), secret };
    },

    list: async (organization) => {
      const query = db.selectFrom("webhooks").selectAll().where("org_id", "=", organization);
      return (await query.orderBy("id").execute()).map(toWebhook);
    },

    update: async (principal, id, change) => {
      const before = await require(principal.organization, id);
      // What has links goes to the owner of the address.
      if (before.links === 1 && change.links !== false) requireMayAnswer(principal);
      if (before.sessions === 1 && change.sessions !== false) requireMaySeeSessions(principal);
      const columns = await toColumns(principal, change);
      const row = await db.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable("webhooks")
          .set({ ...columns, updated_at: now() })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow(() => noSuchWebhook(id));
        const entry = { action: "webhook.modify", target: id, detail: toDetail(change) };
        await audit.record(transaction, principal, entry);
        return changed;
      });
      store.touch();
      return toWebhook(row);
    },

    rotate: async (principal, id, overlapHours) => {
      const before = await require(principal.organization, id);
      const secret = newSecret();
      const at = now();
      const old = readSecret(parts, before, "secret");
      const context = webhookSecretContext(before.org_id, id, "previous_secret");
      const isKept = overlapHours > 0;
      const row = await db.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable("webhooks")
          .set({
            ...{ secret: seal(before, secret), updated_at: at },
            previous_secret: isKept ? parts.secrets.seal(old, context) : "",
            previous_until: isKept ? at + overlapHours * hourMs : null,
          })
          .where("id", "=", id)
          .where("secret", "=", before.secret)
          .returningAll()
          .executeTakeFirstOrThrow(
            () => new Problem(409, "The secret was changed at the same time. Try again."),
          );
        const detail = { overlap_hours: overlapHours };
        await audit.record(transaction, principal, {
          action: "webhook.rotate",
          target: id,
          detail,
        });
        return changed;
      });
      return { ...toWebhook(row), secret };
    },

    delete: async (principal, id) => {
      const { url } = await require(principal.organization, id);
      await db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("webhook_attempts")
          .where("delivery_id", "in", (query) =>
            query.selectFrom("webhook_deliveries").select("id").where("webhook_id", "=", id),
          )
          .execute();
        await transaction.deleteFrom("webhook_deliveries").where("webhook_id", "=", id).execute();
        await transaction.deleteFrom("webhooks").where("id", "=", id).execute();
        const entry = { action: "webhook.delete", target: id, detail: toDetail({ url }) };
        await audit.record(transaction, principal, entry);
      });
      store.touch();
    },
  };
}

/** Opens the current secret of a webhook, or the one before. */
export function readSecret(
  { secrets }: Pick<Parts, "secrets">,
  row: WebhookRow,
  which: "secret" | "previous_secret",
): string {
  return secrets.open(row[which], webhookSecretContext(row.org_id, row.id, which));
}

/** Returns a webhook in the API's form. */
export function toWebhook(row: WebhookRow): Webhook {
  const list = (text: string): string[] => readStoredJsonOr<string[]>(text, [], isTextList);
  const { id, url, description, disabled_reason, failures, user_id, previous_until } = row;
  return {
    ...{ id, url, events: list(row.events), description },
    tools: row.tools === null ? null : list(row.tools),
    tags: row.tags === null ? null : list(row.tags),
    ...{ links: row.links === 1, synchronous: row.synchronous === 1 },
    ...{ sessions: row.sessions === 1, enabled: row.enabled === 1 },
    ...{ disabled_reason, failures },
    previous_secret_until: previous_until === null ? null : toIsoMoment(previous_until),
    user_id,
    created_at: toIsoMoment(row.created_at),
    updated_at: toIsoMoment(row.updated_at),
  };
}

/** Leaves out the path of the URL, which is often a secret. */
function toDetail({ url, ...rest }: WebhookChange): Readonly<Record<string, unknown>> {
  return { ...(url !== undefined && { origin: new URL(url).origin }), ...rest };
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString("base64")}`;
}

function noSuchWebhook(id: string): Problem {
  return new Problem(404, `There is no webhook ${id}.`);
}

function requireMayAnswer(principal: Principal): void {
  if (principal.may("Inbox:AnswerItem")) return;
  throw new Problem(
    403,
    "The links of a webhook answer questions, so links requires the permission Inbox:AnswerItem.",
  );
}

async function requireRoom(db: Kysely<Tables>, organization: string, max: number): Promise<void> {
  const { count } = await db
    .selectFrom("webhooks")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("org_id", "=", organization)
    .executeTakeFirstOrThrow();
  if (Number(count) <= max) return;
  throw new Problem(400, `The organization has ${max} webhooks already. Delete one first.`);
}

async function findTools(
  db: Kysely<Tables>,
  organization: string,
  tools: readonly string[],
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const tool of tools) ids.push((await requireNamedTool(db, organization, tool)).id);
  return ids;
}
