import { createHash } from "node:crypto";
import type { Principal } from "../auth/principal.ts";
import { isAlive } from "../history/heartbeat.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { InvalidRequest, Problem } from "../problem.ts";
import { idempotentAnswerPlace } from "../secrets/sealed-place.ts";
import type { IdempotentAnswerRow } from "../store/schema.ts";

/** A request that is to be carried out once, however often it comes. */
export interface KeyedRequest {
  readonly principal: Pick<Principal, "organization" | "keyId">;
  /** Of the header `Idempotency-Key`. */
  readonly key: string;
  /** What the request asks for: the route and the body. */
  readonly content: string;
}

/** An answer as it is kept. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** What to do with a keyed request: give the first answer again, or carry it out and say how it ended. */
export type Claim =
  | { readonly answer: KeptAnswer }
  | {
      readonly answer: undefined;
      /** Keeps the answer, before it goes out. */
      keep(answer: KeptAnswer): Promise<void>;
      /** It was not carried out: whoever asks again may try again. */
      release(): Promise<void>;
      /** Nobody knows how far it came: it is not carried out again. */
      leave(): void;
    };

/** Knows which keyed requests were carried out. */
export interface Idempotency {
  /** Waits for the same request if this process is at it. Throws a `Problem` if it can't be told. */
  claim(request: KeyedRequest): Promise<Claim>;
}

type Parts = Pick<PlatformParts, "store" | "settings" | "secrets" | "processId" | "now">;

const mostKeyCharacters = 255;
const sweepMs = 3_600_000;

/** Makes what knows keyed requests. */
export function createIdempotency(parts: Parts): Idempotency {
  const { store, settings, secrets, processId, now } = parts;
  const running = new Map<string, { readonly hash: string; readonly ended: Promise<unknown> }>();
  const keptMs = settings.idempotencyHours * 3_600_000;
  let sweptAt = 0;

  const claim = async (request: KeyedRequest): Promise<Claim> => {
    if (request.key === "" || request.key.length > mostKeyCharacters) throw badKey();
    const { organization, keyId } = request.principal;
    const hash = createHash("sha256").update(request.content).digest("hex");
    const id = { organization, key: `${keyId} ${request.key}`, hash };
    const place = `${organization} ${id.key}`;
    for (;;) {
      const other = running.get(place);
      if (other === undefined) break;
      if (other.hash !== hash) throw otherBody();
      await other.ended;
    }
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    running.set(place, { hash, ended });
    const leave = (): void => {
      running.delete(place);
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
      keep: (kept) => keep(id, kept).finally(leave),
      release: () => remove(id).finally(leave),
    };
  };

  /** The answer that is kept; `undefined` if the request is ours to carry out now. */
  const takeOrFind = async (id: RequestId): Promise<KeptAnswer | undefined> => {
    for (;;) {
      if (await insert(id)) return undefined;
      const row = await find(id);
      if (row === undefined) continue;
      if (row.created_at <= now() - keptMs) {
        await remove(id);
        continue;
      }
      if (row.request_hash !== id.hash) throw otherBody();
      if (row.status === 0) throw await explainOpen(row);
      return {
        status: row.status,
        headers: JSON.parse(row.headers) as KeptAnswer["headers"],
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

  const keep = async (id: RequestId, { status, headers, body }: KeptAnswer): Promise<void> => {
    await store.db
      .updateTable("idempotent_answers")
      // What a tool answers may hold what its user does not want to be kept in clear.
      .set({
        status,
        headers: JSON.stringify(headers),
        body: secrets.seal(body, idempotentAnswerPlace(id.organization, id.key)),
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
      return secrets.open(body, idempotentAnswerPlace(id.organization, id.key));
    } catch {
      throw new Problem(
        409,
        "A request with this Idempotency-Key was carried out, but its answer can no longer be read. Look at the history of invocations.",
      );
    }
  };

  const explainOpen = async ({ owner }: IdempotentAnswerRow): Promise<Problem> => {
    if (owner !== processId && (await isAlive(parts, owner))) {
      return new Problem(
        409,
        "A request with this Idempotency-Key is still being carried out. Ask again in a moment.",
        { "retry-after": "1" },
      );
    }
    return new Problem(
      409,
      "A request with this Idempotency-Key was begun, and the server was interrupted before it ended: it may have run. Look at the history of invocations, and use another key to run it again.",
    );
  };

  const sweep = async (): Promise<void> => {
    if (now() - sweptAt < sweepMs) return;
    sweptAt = now();
    await store.db
      .deleteFrom("idempotent_answers")
      .where("created_at", "<=", now() - keptMs)
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
  return new Problem(400, `An Idempotency-Key has 1 to ${mostKeyCharacters} characters.`);
}

function otherBody(): Problem {
  const msg = "This Idempotency-Key was used for another request. Use a new key for each request.";
  return new InvalidRequest([{ loc: ["header", "idempotency-key"], msg, type: "value_error" }]);
}
