import type { PlatformParts } from "../platform-parts.ts";
import type { OperationRow } from "../store/schema.ts";
import { toNumber } from "./version-text.ts";

type Parts = Pick<PlatformParts, "store" | "now">;

/**
 * Ends the operations of processes that are gone, so that their tools can be worked on again. What
 * a dead process had published stays published.
 */
export async function recoverOperations(
  parts: Parts,
  isAlive: (owner: string) => Promise<boolean>,
): Promise<void> {
  const open = await parts.store.db
    .selectFrom("operations")
    .selectAll()
    .where("ended_at", "is", null)
    .execute();
  const alive = new Map<string, boolean>();
  for (const operation of open) {
    const { owner } = operation;
    if (!alive.has(owner)) alive.set(owner, await isAlive(owner));
    if (alive.get(owner) === false) await endFor(parts, operation);
  }
  if (open.length > 0) parts.store.touch();
}

async function endFor(parts: Parts, operation: OperationRow): Promise<void> {
  const done = await isDone(parts, operation);
  await parts.store.db
    .updateTable("operations")
    .set({
      state: done ? "active" : "failed",
      error: done ? null : "The server stopped before this had ended. Try again.",
      ended_at: parts.now(),
    })
    .where("id", "=", operation.id)
    .where("ended_at", "is", null)
    .execute();
}

/** Whether it was carried out and only its end is missing. */
async function isDone({ store }: Parts, operation: OperationRow): Promise<boolean> {
  if (operation.kind === "deprecate-tool") {
    const tool = await store.db
      .selectFrom("tools")
      .select("deprecated")
      .where("id", "=", operation.tool_id)
      .executeTakeFirst();
    return tool?.deprecated === 1;
  }
  const number = operation.version === null ? undefined : toNumber(operation.version);
  if (operation.kind !== "publish" || number === undefined) return false;
  const version = await store.db
    .selectFrom("tool_versions")
    .select("id")
    .where("tool_id", "=", operation.tool_id)
    .where("major", "=", number.major)
    .where("minor", "=", number.minor)
    .where("patch", "=", number.patch)
    .executeTakeFirst();
  return version !== undefined;
}
