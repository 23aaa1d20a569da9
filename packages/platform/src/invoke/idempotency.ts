import { createHash } from "node:crypto";
import { isPlainObject } from "@haft/contract/internal";
import type { Kysely } from "kysely";
import type { Principal } from "../auth/principal.ts";
import { isAlive } from "../history/heartbeat.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import { idempotentAnswerContext } from "../secrets/sealed-context.ts";
import type { IdempotentAnswerRow, Tables } from "../store/schema.ts";
import { readStoredJsonOr } from "../store/stored-json.ts";

/** A request with an idempotency key, which is carried out at most once. */
export interface KeyedRequest {
  readonly principal: Pick<Principal, "organization" | "keyId">;
  /** The header `Idempotency-Key`. */
  readonly key: string;
  /** The route and the body, to recognise the same request. */
  readonly content: string;
}

/** A stored response. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/**
 * How to handle a keyed request: repeat the stored response, or carry it out and report the
 * outcome.
 */
export type Claim =
  | { readonly answer: KeptAnswer }
  | {
      readonly answer: undefined;
      /** Stores the response before it is sent. */
      keep(answer: KeptAnswer): Promise<void>;
      /** The same within a transaction. Call `leave` after it. */
      keepIn(db: Kysely<Tables>, answer: KeptAnswer): Promise<void>;
      /** The request was not carried out and can be repeated. */
      release(): Promise<void>;
      /** The outcome is unknown. The request is not carried out again. */
      leave(): void;
    };

/** Records which keyed requests were carried out. */
export interface Idempotency {
  /**
   * Waits if this process is handling the same request. Throws a `Problem` if the outcome is
   * unknown.
   */
  claim(request: KeyedRequest): Promise<Claim>;
}

type Parts = Pick<PlatformParts, "store" | "settings" | "secrets" | "processId" | "now"> & {
  /** The clock that decides when a response expires. Default: the platform's clock. */
  ageNow?(): number;
};

const maxKeyCharacters = 255;
const sweepMs = 3_600_000;

/** Creates the record of keyed requests. */
export function createIdempotency(parts: Parts): Idempotency {
  const { store, settings, secrets, processId, now } = parts;
  const ageNow = parts.ageNow ?? now;
  const running = new Map<string, { readonly hash: string; readonly ended: Promise<unknown> }>();
  const keptMs = settings.idempotencyHours * 3_600_000;
  let sweptAt = Number.NEGATIVE_INFINITY;

  const claim = async (request: KeyedRequest): Promise<Claim> => {
    if (request.key === "" || request.key.length > maxKeyCharacters) throw badKey();
    const { organization, keyId } = request.principal;
    const hash = createHash("sha256").update(request.content).digest("hex");
    const id = { organization, key: `${keyId} ${request.key}`, hash };
    const runningKey = `${organization} ${id.key}`;
    for (;;) {
      const other = running.get(runningKey);
      if (other === undefined) break;
      if (other.hash !== hash) throw otherBody();
      await other.ended;
    }
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    running.set(runningKey, { hash, ended });
    const leave = (): void => {
      running.delete(runningKey);
      resolve();
    };
    try {
      await sweep();
      const answer = await takeOrFind(id);
      if (answer !== undefined) {
        leave();
        return { answer };
      }
    } catch (error) {
      leave();
      throw error;
    }
    return {
      answer: undefined,
      leave,
      keep: (kept) => keep(store.db, id, kept).finally(leave),
      keepIn: (db, kept) => keep(db, id, kept),
      release: () => remove(id).finally(leave),
    };
  };

  /** Returns the stored response; `undefined` if this call now has to carry out the request. */
  const takeOrFind = async (id: RequestId): Promise<KeptAnswer | undefined> => {
    for (;;) {
      if (await insert(id)) return undefined;
      const row = await find(id);
      if (row === undefined) continue;
      if (row.created_at <= ageNow() - keptMs) {
        await remove(id);
        continue;
      }
      if (row.request_hash !== id.hash) throw otherBody();
      if (row.status === 0) throw await explainOpen(row);
      return {
        status: row.status,
        headers: readStoredJsonOr<KeptAnswer["headers"]>(row.headers, {}, isPlainObject),
        body: openBody(row.body, id),
      };
    }
  };

  const find = ({ organization, key }: RequestId): Promise<IdempotentAnswerRow | undefined> =>
    store.db
      .selectFrom("idempotent_answers")
      .selectAll()
      .where("org_id", "=", organization)
      .where("key", "=", key)
      .executeTakeFirst();

  const insert = async ({ organization, key, hash }: RequestId): Promise<boolean> => {
    const row: IdempotentAnswerRow = {
      org_id: organization,
      key,
      request_hash: hash,
      status: 0,
      headers: "{}",
      body: "",
      owner: processId,
      created_at: now(),
    };
    const { numInsertedOrUpdatedRows = 0n } = await store.db
      .insertInto("idempotent_answers")
      .values(row)
      .onConflict((conflict) => conflict.columns(["org_id", "key"]).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  };

  const keep = async (
    db: Kysely<Tables>,
    id: RequestId,
    { status, headers, body }: KeptAnswer,
  ): Promise<void> => {
    await db
      .updateTable("idempotent_answers")
      // A tool's response may contain private data, so it is stored encrypted.
      .set({
        status,
        headers: JSON.stringify(headers),
        body: secrets.seal(body, idempotentAnswerContext(id.organization, id.key)),
      })
      .where("org_id", "=", id.organization)
      .where("key", "=", id.key)
      .execute();
  };

  const remove = async ({ organization, key }: RequestId): Promise<void> => {
    await store.db
      .deleteFrom("idempotent_answers")
      .where("org_id", "=", organization)
      .where("key", "=", key)
      .execute();
  };

  const openBody = (body: string, id: RequestId): string => {
    try {
      return secrets.open(body, idempotentAnswerContext(id.organization, id.key));
    } catch {
      throw new Problem(
        409,
        "A request with this Idempotency-Key was carried out, but its response can no longer be read. See the history of invocations.",
      );
    }
  };

  const explainOpen = async ({ owner }: IdempotentAnswerRow): Promise<Problem> => {
    if (owner !== processId && (await isAlive(parts, owner))) {
      return new Problem(
        409,
        "A request with this Idempotency-Key is still being carried out. Try again in a moment.",
        { "retry-after": "1" },
      );
    }
    return new Problem(
      409,
      "A request with this Idempotency-Key was started, but the server stopped before it finished, so it may have run. Check the history of invocations, and use a new key to run it again.",
    );
  };

  const sweep = async (): Promise<void> => {
    if (performance.now() - sweptAt < sweepMs) return;
    sweptAt = performance.now();
    await store.db
      .deleteFrom("idempotent_answers")
      .where("created_at", "<=", ageNow() - keptMs)
      .execute();
  };

  return { claim };
}

interface RequestId {
  readonly organization: string;
  readonly key: string;
  readonly hash: string;
}

function badKey(): Problem {
  return new Problem(
    400,
    `The Idempotency-Key is empty or too long. Use 1 to ${maxKeyCharacters} characters.`,
  );
}

function otherBody(): Problem {
  const msg =
    "This Idempotency-Key was used for a different request. Use a new key for each request.";
  return new InvalidRequest([{ loc: ["header", "idempotency-key"], msg, type: "value_error" }]);
}
