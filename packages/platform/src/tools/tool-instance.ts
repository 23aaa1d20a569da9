import type { Selectable } from "kysely";
import type { ToolRow } from "../store/schema.ts";
import type { Tag } from "./tags.ts";

/** Somebody, as the wire shows it on tools. */
export interface ToolUser {
  readonly org_id: string;
  readonly user_id: string;
}

/** A tool, as the wire shows it. */
export interface ToolInstance {
  readonly id: string;
  readonly org_id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly name: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Names of the variables that are not secret. */
  readonly envvars: readonly string[];
  readonly secret_envvars: readonly string[];
  readonly tags: readonly Tag[];
  readonly creator: ToolUser;
  readonly updated_by: ToolUser;
}

/** Shows a tool with what belongs to it. */
export function toToolInstance(
  tool: Selectable<ToolRow>,
  belongings: Pick<ToolInstance, "envvars" | "secret_envvars" | "tags">,
): ToolInstance {
  return {
    id: tool.id,
    org_id: tool.org_id,
    created_at: new Date(tool.created_at).toISOString(),
    updated_at: new Date(tool.updated_at).toISOString(),
    name: tool.name,
    description: tool.description,
    deprecated: tool.deprecated === 1,
    envvars: belongings.envvars,
    secret_envvars: belongings.secret_envvars,
    tags: belongings.tags,
    creator: { org_id: tool.org_id, user_id: tool.creator_user_id },
    updated_by: { org_id: tool.org_id, user_id: tool.updated_by_user_id },
  };
}
