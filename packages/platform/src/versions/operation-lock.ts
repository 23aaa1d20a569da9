import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { OperationRow } from "../store/schema.ts";

/** What is to be done to a tool. */
export interface Operation {
  readonly organization: string;
  readonly toolId: string;
  readonly kind: OperationRow["kind"];
  readonly userId: string;
}

/** An operation that is under way. */
export interface RunningOperation {
  readonly id: string;
  /** Writes down how far it is. `log` is the whole log so far, not an addition to it. */
  update(change: OperationChange): Promise<void>;
}

/** What changes about an operation while it is under way. */
export interface OperationChange {
  readonly state?: OperationRow["state"];
  readonly log?: string;
  readonly version?: string;
}

type Parts = Pick<PlatformParts, "store" | "processId" | "now">;

/**
 * Runs an operation on a tool exclusively. Throws a `Problem` 409 at once if another one is under
 * way, in any process: the lock is in the store.
 */
export async function holdOperation<T>(
  parts: Parts,
  operation: Operation,
  work: (running: RunningOperation) => Promise<T>,
): Promise<T> {
  const id = await begin(parts, operation);
  const update = async (change: OperationChange): Promise<void> => {
    if (Object.keys(change).length > 0) await write(parts, id, change);
  };
  let result: T;
  try {
    result = await work({ id, update });
  } catch (error) {
    // What went wrong matters more than that it could not be written down.
    await end(parts, id, { state: "failed", error: toSentence(error) }).catch(() => undefined);
    throw error;
  }
  await end(parts, id, { state: "active", error: null });
  return result;
}

async function begin(parts: Parts, operation: Operation): Promise<string> {
  const now = parts.now();
  const id = newId(now);
  const { numInsertedOrUpdatedRows } = await parts.store.db
    .insertInto("operations")
    .values({
      id,
      org_id: operation.organization,
      tool_id: operation.toolId,
      kind: operation.kind,
      state: "checking",
      user_id: operation.userId,
      owner: parts.processId,
      log: "",
      error: null,
      version: null,
      started_at: now,
      ended_at: null,
    })
    // The index of operations under way refuses a second one.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 0n) return id;
  throw new Problem(409, await describeOther(parts, operation));
}

const doings: Readonly<Record<OperationRow["kind"], string>> = {
  publish: "The tool is being published",
  "deprecate-version": "Versions of the tool are being deprecated",
  "deprecate-tool": "The tool is being deprecated",
};

async function describeOther({ store }: Parts, { toolId }: Operation): Promise<string> {
  const other = await store.db
    .selectFrom("operations")
    .select("kind")
    .where("tool_id", "=", toolId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  const doing =
    (other === undefined ? undefined : doings[other.kind]) ??
    "Another operation on the tool was under way";
  return `${doing}; try again when that has ended.`;
}

/** Ends it, and tells caches that something may have changed. */
async function end(
  parts: Parts,
  id: string,
  outcome: Pick<OperationRow, "state" | "error">,
): Promise<void> {
  await write(parts, id, { ...outcome, ended_at: parts.now() });
  parts.store.touch();
}

async function write({ store }: Parts, id: string, change: Partial<OperationRow>): Promise<void> {
  await store.db
    .updateTable("operations")
    .set(change)
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .execute();
}

function toSentence(error: unknown): string {
  // An internal error can contain private data; the server's log has it.
  return error instanceof Problem ? error.message : "The server failed. Its log says why.";
}
