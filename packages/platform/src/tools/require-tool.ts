import type { Kysely } from "kysely";
import { Problem } from "../problem.ts";
import type { Tables, ToolRow } from "../store/schema.ts";

/** Which tool, of which organization. */
export interface ToolReference {
  readonly organization: string;
  readonly toolId: string;
}

/** What a caller is told of a tool that is not there, or is another organization's. */
export function unknownTool(toolId: string): Problem {
  return new Problem(404, `There is no tool ${toolId}. List the tools to see their ids.`);
}

/** Finds a tool, deprecated or not. Throws a `Problem` 404. */
export async function requireTool(
  db: Kysely<Tables>,
  { organization, toolId }: ToolReference,
): Promise<ToolRow> {
  const tool = await db
    .selectFrom("tools")
    .selectAll()
    .where("id", "=", toolId)
    .where("org_id", "=", organization)
    .executeTakeFirst();
  if (tool === undefined) throw unknownTool(toolId);
  return tool;
}

/** Finds a tool that can still be changed. Throws a `Problem` 404, for a deprecated one too. */
export async function requireLiveTool(
  db: Kysely<Tables>,
  reference: ToolReference,
): Promise<ToolRow> {
  const tool = await requireTool(db, reference);
  if (tool.deprecated === 0) return tool;
  throw new Problem(
    404,
    `The tool ${JSON.stringify(tool.name)} is deprecated: it can't be changed.`,
  );
}
