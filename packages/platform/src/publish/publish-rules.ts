import type { JsonSchema } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";
import type { Kysely } from "kysely";
import { Problem } from "../problem.ts";
import { findBreakingChange } from "../project/find-breaking-change.ts";
import type { ToolManifest } from "../project/manifest.ts";
import type { ManifestDraft } from "../project/manifest-draft.ts";
import type { Tables, ToolRow, ToolVersionRow } from "../store/schema.ts";
import { readStoredJson } from "../store/stored-json.ts";
import { toText } from "../versions/version-text.ts";
import type { PublishOrder } from "./publisher.ts";

type Database = Kysely<Tables>;

/**
 * Returns a tool that can be published. Throws a `Problem` 404 for one that is unknown or
 * deprecated.
 */
export async function requireLiveTool(
  db: Database,
  organization: string,
  toolId: string,
): Promise<ToolRow> {
  const tool = await db
    .selectFrom("tools")
    .selectAll()
    .where("org_id", "=", organization)
    .where("id", "=", toolId)
    .where("deprecated", "=", 0)
    .executeTakeFirst();
  if (tool !== undefined) return tool;
  throw new Problem(404, `There is no tool ${toolId}, or it is deprecated.`);
}

/** Returns the version of a tool that was published last. */
export async function findLastVersion(
  db: Database,
  toolId: string,
): Promise<ToolVersionRow | undefined> {
  return db
    .selectFrom("tool_versions")
    .selectAll()
    .where("tool_id", "=", toolId)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Refuses a project whose name is not the tool's. */
export function requireName({ name }: ToolRow, manifest: Pick<ToolManifest, "name">): void {
  if (manifest.name === name) return;
  throw new Problem(
    400,
    `tool.json: name is ${manifest.name}, but the tool is called ${name}. Publish the project of ${name}, or change the name in tool.json.`,
  );
}

/** Refuses a project that requires variables which the tool lacks, or has with another secrecy. */
export async function requireVariables(
  db: Database,
  tool: ToolRow,
  manifest: Pick<ToolManifest, "requiredEnvvars" | "requiredSecretEnvvars">,
): Promise<void> {
  const rows = await db
    .selectFrom("tool_variables")
    .select(["name", "is_secret"])
    .where("org_id", "=", tool.org_id)
    .where("tool_id", "=", tool.id)
    .where("deleted_at", "is", null)
    .execute();
  const secrecy = new Map(rows.map((row) => [row.name, row.is_secret === 1]));
  const required = [
    ...manifest.requiredEnvvars.map((name) => ({ name, secret: false })),
    ...manifest.requiredSecretEnvvars.map((name) => ({ name, secret: true })),
  ];
  const missing = required.filter(({ name }) => !secrecy.has(name));
  if (missing.length > 0) {
    const names = missing.map(({ name, secret }) => (secret ? `${name} (secret)` : name));
    const [first] = missing;
    throw new Problem(
      400,
      `tool.json requires ${names.join(", ")}, but the tool has no value for it. Set it first: haft tool env ${tool.name} set ${first?.name}=VALUE${first?.secret ? " --secret" : ""}`,
    );
  }
  const other = required.find(({ name, secret }) => secrecy.get(name) !== secret);
  if (other === undefined) return;
  const { name, secret } = other;
  throw new Problem(
    400,
    secret
      ? `${name} is a plain variable of the tool, but tool.json lists it in requiredSecretEnvvars. Move it to requiredEnvvars, or delete the variable and set it as a secret.`
      : `${name} is a secret variable of the tool, but tool.json lists it in requiredEnvvars. Move it to requiredSecretEnvvars.`,
  );
}

/** Refuses another version if the tool has as many active ones as allowed. */
export async function requireActiveRoom(
  db: Database,
  toolId: string,
  maxActive: number | undefined,
): Promise<void> {
  if (maxActive === undefined) return;
  const { count } = await db
    .selectFrom("tool_versions")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("tool_id", "=", toolId)
    .where("deprecated", "=", 0)
    .executeTakeFirstOrThrow();
  if (Number(count) < maxActive) return;
  throw new Problem(
    400,
    `The tool has ${count} active versions, and at most ${maxActive} are allowed. Deprecate a version that is no longer used.`,
  );
}

/** Refuses schemas that break callers of the last version, unless this is a major version. */
export async function requireCompatible(
  db: Database,
  { toolId, bump }: Pick<PublishOrder, "toolId" | "bump">,
  { inputSchema, outputSchema }: Pick<ManifestDraft, "inputSchema" | "outputSchema">,
): Promise<void> {
  if (bump === "major") return;
  const last = await findLastVersion(db, toolId);
  if (last === undefined) return;
  const version = toText(last);
  const refuse = (which: string, why: string): never => {
    throw new Problem(
      400,
      `The ${which} schema breaks callers of ${version}: ${why}. Publish with bump_type major, or revert the change.`,
    );
  };
  const lastInput = readStoredJson<JsonSchema>(
    last.input_schema,
    `The schema of version ${version}`,
    isPlainObject,
  );
  const change = inputSchema && findBreakingChange(lastInput, inputSchema);
  if (change !== undefined) refuse("input", `${change.field} ${change.reason}`);
  const { outputSchema: lastOutput } = readStoredJson<ToolManifest>(
    last.manifest,
    `The manifest of version ${version}`,
    isPlainObject,
  );
  if (lastOutput === undefined) return;
  if (outputSchema === undefined) {
    return refuse("output", "it was removed, so outputs may have any form");
  }
  // The other way round: what the new version returns must be valid for the last one.
  const wider = findBreakingChange(outputSchema, lastOutput);
  if (wider === undefined) return;
  const field = wider.field.replace(/^the input$/u, "the output");
  refuse(
    "output",
    `an output of the new version may not match the last one: ${field} ${wider.reason}`,
  );
}
