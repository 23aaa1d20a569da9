import { clipText } from "@haft/contract/internal";
import { toVisibleLine } from "@haft/core/internal";
import { newSessionToken, toKeyHash } from "../auth/api-key.ts";
import { findIdentity, type Identity } from "../auth/identity.ts";
import type { Principal } from "../auth/principal.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { ConsoleSessionRow } from "../store/schema.ts";

/** A token, shown once. */
export interface IssuedToken {
  readonly token: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

/** A browser that has just signed in. */
export interface OpenedSession extends IssuedToken {
  readonly principal: Principal;
}

/** The sign-ins of browsers. */
export interface ConsoleSessions {
  /** Creates a token that signs in one browser, once, with the caller's key. */
  createLink(principal: Principal): Promise<IssuedToken>;
  /** Signs in a browser with the token of a link, which is used up, or with an API key. */
  open(
    by: { readonly link: string } | { readonly apiKey: string },
    client: string,
  ): Promise<OpenedSession>;
  /** Ends the session of a token. */
  close(token: string): Promise<void>;
  /** Lists the browsers that are signed in with a key; without one, with any key of the organization. */
  list(organization: string, keyId?: string): Promise<readonly ConsoleSessionRow[]>;
  /** Ends a session of a key; without one, of any key of the organization. */
  end(principal: Principal, id: string, keyId?: string): Promise<void>;
}

const linkMs = 60 * 60_000;
const sessionMs = 7 * 24 * 60 * 60_000;
const maxClientLength = 200;

/** Creates the sign-ins of a store. A session ends with its key. */
export function createConsoleSessions(
  parts: Pick<PlatformParts, "store" | "audit" | "now">,
): ConsoleSessions {
  const { store, audit, now } = parts;

  const add = async (
    { principal, expiresAt }: Pick<Identity, "principal" | "expiresAt">,
    { kind, client, lastsMs }: { kind: ConsoleSessionRow["kind"]; client: string; lastsMs: number },
  ): Promise<OpenedSession> => {
    const token = newSessionToken();
    const row = {
      ...{ id: newId(), org_id: principal.organization, key_id: principal.keyId, kind, client },
      ...{ hash: toKeyHash(token), created_at: now() },
      expires_at: Math.min(expiresAt, now() + lastsMs),
    };
    await store.db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom("console_sessions").where("expires_at", "<=", now()).execute();
      await transaction.insertInto("console_sessions").values(row).execute();
      await audit.record(transaction, principal, {
        action: kind === "link" ? "console.link" : "console.sign_in",
        target: row.id,
        ...(client !== "" && { detail: { client } }),
      });
    });
    store.touch();
    return { token, expiresAt: row.expires_at, principal };
  };

  /** Returns the key of a link and deletes the link, so that of two who use it, one succeeds. */
  const useLink = async (token: string): Promise<Identity | undefined> => {
    const hash = toKeyHash(token);
    const link = await store.db
      .selectFrom("console_sessions")
      .select(["id", "key_id", "expires_at"])
      .where("hash", "=", hash)
      .where("kind", "=", "link")
      .executeTakeFirst();
    if (link === undefined) return undefined;
    const { numDeletedRows } = await store.db
      .deleteFrom("console_sessions")
      .where("id", "=", link.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n || link.expires_at <= now()) return undefined;
    return findIdentity(store.db, { keyId: link.key_id });
  };

  return {
    createLink: async (principal) => {
      const identity = await findIdentity(store.db, { keyId: principal.keyId });
      if (identity === undefined) throw new Problem(403, "A link needs an API key to belong to.");
      return add(identity, { kind: "link", client: "", lastsMs: linkMs });
    },
    open: async (by, client) => {
      const identity =
        "link" in by
          ? await useLink(by.link)
          : await findIdentity(store.db, { hash: toKeyHash(by.apiKey) });
      if (identity === undefined || identity.expiresAt <= now()) throw refusal("link" in by);
      const shown = toVisibleLine(clipText(client, maxClientLength));
      return add(identity, { kind: "session", client: shown, lastsMs: sessionMs });
    },
    close: async (token) => {
      await store.db.deleteFrom("console_sessions").where("hash", "=", toKeyHash(token)).execute();
      store.touch();
    },
    list: (organization, keyId) =>
      store.db
        .selectFrom("console_sessions")
        .selectAll()
        .where("org_id", "=", organization)
        .where("kind", "=", "session")
        .where("expires_at", ">", now())
        .$if(keyId !== undefined, (query) => query.where("key_id", "=", keyId ?? ""))
        .orderBy("created_at", "desc")
        .limit(500)
        .execute(),
    end: async (principal, id, keyId) => {
      await store.db.transaction().execute(async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom("console_sessions")
          .where("id", "=", id)
          .where("org_id", "=", principal.organization)
          .$if(keyId !== undefined, (query) => query.where("key_id", "=", keyId ?? ""))
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw new Problem(404, "There is no such session.");
        await audit.record(transaction, principal, { action: "console.end_session", target: id });
      });
      store.touch();
    },
  };
}

function refusal(isLink: boolean): Problem {
  return new Problem(
    401,
    isLink
      ? "This link was used before or has expired. Make another one with haft console, or sign in with an API key."
      : "The API key is unknown, has expired or was deleted. Use another one.",
    { "www-authenticate": "Bearer" },
  );
}
