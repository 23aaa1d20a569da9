import { createHmac, timingSafeEqual } from "node:crypto";
import { isPlainObject } from "@haft/contract/internal";
import { findIdentity } from "../auth/identity.ts";
import { openTokenSecret } from "../auth/token-secret.ts";
import { toIsoMoment } from "../iso-moment.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { InboxItemRow, WebhookRow } from "../store/schema.ts";
import { type Answerer, describeEnd } from "./answer-item.ts";
import { toLinkForm } from "./link-form.ts";
import type { SessionItems } from "./session-items.ts";

/** Links that answer an item of the inbox. Anyone who has one may answer, once, until it expires. */
export interface InboxLinks {
  /** Makes a link for a caller who may answer. Throws a `Problem` if the item can't have one. */
  create(maker: Answerer, item: InboxItemRow, answer?: unknown): Promise<InboxLink>;
  /** Adds links to the body of an event about an item that waits. Other bodies stay as they are. */
  addTo(body: string, webhook: WebhookRow): Promise<string>;
  /** Finds what a link is for. `undefined` if it is not valid, has expired or was revoked. */
  open(organization: string, token: string): Promise<OpenedLink | undefined>;
}

/** A link to answer an item. */
export interface InboxLink {
  readonly url: string;
  readonly expires_at: string;
}

/** What a link is for. */
export interface OpenedLink {
  readonly item: InboxItemRow;
  /** For whom it answers: the user who made the link, or the webhook that sent it. */
  readonly answerer: Answerer;
  /** The only answer that it gives. Absent: any that the form allows. */
  readonly answer?: unknown;
}

/** What a token says: item, end in seconds, kind and ID of the maker, and the answer, if it is for one. */
type Claims = readonly [
  item: string,
  expiresAt: number,
  kind: "key" | "webhook",
  maker: string,
  answer?: unknown,
];

const maxAgeMs = 7 * 86_400_000;
// A path parameter can have 1000 characters.
const maxTokenLength = 900;

/** An item as events show it. */
type ToldItem = Pick<
  InboxItemRow,
  "id" | "org_id" | "kind" | "schema" | "answerers" | "created_at" | "deadline_at"
>;

/** What links need besides the store. */
export interface LinkOptions {
  /** Returns the platform's address for people. */
  findUrl(): string;
  /** The calls of sessions on this machine. Default: links answer none. */
  readonly sessions?: Pick<SessionItems, "findRow" | "isOpenTo"> | undefined;
}

/** Creates the links of a store. */
export function createInboxLinks(
  parts: Pick<PlatformParts, "store" | "secrets" | "now">,
  { findUrl, sessions }: LinkOptions,
): InboxLinks {
  const { store, now } = parts;
  let opening: Promise<Buffer> | undefined;
  const findKey = (): Promise<Buffer> => {
    // Not the secret itself: a token of a sign-in must never be valid here, or the reverse.
    opening ??= openTokenSecret(parts).then((secret) =>
      createHmac("sha256", secret).update("inbox links").digest(),
    );
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  const sign = async (organization: string, content: string): Promise<Buffer> =>
    createHmac("sha256", await findKey())
      .update(`${organization}.${content}`)
      .digest();
  const write = async (organization: string, claims: Claims): Promise<string | undefined> => {
    const content = Buffer.from(JSON.stringify(claims)).toString("base64url");
    const token = `${content}.${(await sign(organization, content)).toString("base64url")}`;
    if (token.length > maxTokenLength) return undefined;
    return `${findUrl()}/v1/${organization}/inbox/link/${token}`;
  };
  const read = async (organization: string, token: string): Promise<Claims | undefined> => {
    const [content = "", signature = ""] = token.split(".");
    const given = Buffer.from(signature, "base64url");
    const right = await sign(organization, content);
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    return JSON.parse(Buffer.from(content, "base64url").toString()) as Claims;
  };
  const findStored = (organization: string, id: string): Promise<InboxItemRow | undefined> =>
    store.db
      .selectFrom("inbox_items")
      .selectAll()
      .where("org_id", "=", organization)
      .where("id", "=", id)
      .executeTakeFirst();
  const findItem = async (organization: string, id: string): Promise<InboxItemRow | undefined> =>
    (await findStored(organization, id)) ?? sessions?.findRow(organization, id);
  const findTold = async (
    { org_id, sessions }: WebhookRow,
    id: string,
  ): Promise<ToldItem | undefined> => {
    const stored = await findStored(org_id, id);
    if (stored !== undefined || sessions === 0) return stored;
    // The question itself may be on another machine than the process that sends the event.
    const announced = await store.db
      .selectFrom("announced_questions")
      .selectAll()
      .where("org_id", "=", org_id)
      .where("id", "=", id)
      .executeTakeFirst();
    return announced && { ...announced, answerers: null };
  };
  /** Finds the user for whom a link answers, unless its key or webhook is gone or may no longer answer. */
  const findMaker = async (
    organization: string,
    claims: Claims,
    isSession: boolean,
  ): Promise<string | undefined> => {
    const [, , kind, id] = claims;
    if (kind === "key") {
      const identity = await findIdentity(store.db, { keyId: id });
      if (identity === undefined || identity.expiresAt <= now()) return undefined;
      const { principal } = identity;
      if (principal.organization !== organization) return undefined;
      const mayAnswer = isSession
        ? sessions?.isOpenTo(principal)
        : principal.may("Inbox:AnswerItem");
      return mayAnswer === true ? principal.userId : undefined;
    }
    const webhook = await store.db
      .selectFrom("webhooks")
      .select("user_id")
      .where("org_id", "=", organization)
      .where("id", "=", id)
      .where("links", "=", 1)
      .where("sessions", ">=", isSession ? 1 : 0)
      .executeTakeFirst();
    return webhook?.user_id;
  };

  return {
    create: async (maker, item, answer) => {
      if (item.state !== "waiting") throw new Problem(409, describeEnd(item));
      const form = toLinkForm(item, answer);
      if (typeof form === "string") throw new Problem(400, form);
      const expires = Math.floor(Math.min(item.deadline_at, now() + maxAgeMs) / 1_000);
      const claims = [item.id, expires, "key", maker.keyId] as const;
      const url = await write(item.org_id, answer === undefined ? claims : [...claims, answer]);
      if (url === undefined) throw new Problem(400, "The answer is too long for a link.");
      return { url, expires_at: toIsoMoment(expires * 1_000) };
    },

    addTo: async (body, webhook) => {
      const event = JSON.parse(body) as { readonly type: string; readonly data: unknown };
      if (event.type !== "inbox.waiting" || !isPlainObject(event.data)) return body;
      const item = await findTold(webhook, String(event.data.inbox_id));
      // What is for some users only must not be open to everyone who reads the event.
      if (item === undefined || item.answerers !== null) return body;
      const form = toLinkForm(item);
      if (typeof form === "string") return body;
      // From what is stored, so that each attempt sends the same.
      const expires = Math.floor(Math.min(item.deadline_at, item.created_at + maxAgeMs) / 1_000);
      const claims = [item.id, expires, "webhook", webhook.id] as const;
      const answers: { readonly answer: unknown; readonly url: string | undefined }[] = [];
      for (const { answer } of form.choices ?? []) {
        answers.push({ answer, url: await write(item.org_id, [...claims, answer]) });
      }
      const links = {
        ...{ form: await write(item.org_id, claims), answers },
        expires_at: toIsoMoment(expires * 1_000),
      };
      return JSON.stringify({ ...event, data: { ...event.data, links } });
    },

    open: async (organization, token) => {
      const claims = await read(organization, token);
      if (claims === undefined || claims[1] * 1_000 <= now()) return undefined;
      const item = await findItem(organization, claims[0]);
      if (item === undefined) return undefined;
      const userId = await findMaker(organization, claims, item.source_type === "session");
      if (userId === undefined) return undefined;
      const keyId = claims[2] === "key" ? claims[3] : "";
      return {
        item,
        answerer: { organization, userId, keyId, role: "" },
        ...(claims.length === 5 && { answer: claims[4] }),
      };
    },
  };
}
