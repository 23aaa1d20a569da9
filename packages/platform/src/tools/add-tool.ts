import type { Principal } from "../auth/principal.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { toTags } from "./tags.ts";
import type { NewTool } from "./tool-schemas.ts";

// Models are shown tools by name, and accept none that is longer.
const maxNameCharacters = 64;

/** Adds a tool and returns its id. Throws a `Problem`: 409 if there is one of that name. */
export async function addTool(
  { store, audit, now }: Pick<PlatformParts, "store" | "audit" | "now">,
  principal: Principal,
  tool: NewTool,
): Promise<string> {
  const name = tool.name.trim();
  if (name.length > maxNameCharacters) {
    throw new Problem(
      400,
      `The name has ${name.length} characters, more than the limit of ${maxNameCharacters}. Shorten it.`,
    );
  }
  const tags = toTags(tool.tags);
  const moment = now();
  const id = newId(moment);
  const { organization, userId } = principal;
  await store.db.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("tools")
      .values({
        id,
        org_id: organization,
        name,
        description: tool.description.trim(),
        deprecated: 0,
        creator_user_id: userId,
        updated_by_user_id: userId,
        created_at: moment,
        updated_at: moment,
      })
      // The index of live names refuses a second one.
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) {
      throw new Problem(
        409,
        `A tool named ${JSON.stringify(name)} already exists. Choose another name, or deprecate that tool.`,
      );
    }
    if (tags.length > 0) {
      const rows = tags.map((tag) => ({ ...tag, tool_id: id, org_id: organization }));
      await transaction.insertInto("tool_tags").values(rows).execute();
    }
    const entry = { action: "tool.create", target: id, detail: { name } };
    await audit.record(transaction, principal, entry);
  });
  store.touch();
  return id;
}
