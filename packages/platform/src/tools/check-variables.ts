import type { Kysely } from "kysely";
import { Problem } from "../problem.ts";
import type { Bit, Tables } from "../store/schema.ts";
import { isTextList, readStoredJson } from "../store/stored-json.ts";
import type { VersionNumber } from "../versions/resolved-version.ts";
import { toText } from "../versions/version-text.ts";
import type { FilledVariableChanges } from "./tool-schemas.ts";

const maxValueBytes = 64 * 1024;
const maxVariables = 500;

/** A variable that a tool has, or had. */
export interface KnownVariable {
  readonly is_secret: Bit;
  readonly deleted_at: number | null;
}

/** Refuses what can't be done to any tool: a name that comes twice, a value that is too large. */
export function checkChanges({ inserts, updates, deletes }: FilledVariableChanges): void {
  const names = [...inserts, ...updates, ...deletes].map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new Problem(400, `The variable ${twice} is named twice. Name each once in a call.`);
  }
  const large = [...inserts, ...updates].find(
    ({ value }) => Buffer.byteLength(value) > maxValueBytes,
  );
  if (large === undefined) return;
  throw new Problem(
    400,
    `The value of ${large.name} is too large: at most ${maxValueBytes} bytes will do.`,
  );
}

/**
 * Refuses what can't be done to a tool that has these variables. The names of those that were deleted
 * within the last `recentMs` are still taken.
 */
export function checkAgainst(
  known: ReadonlyMap<string, KnownVariable>,
  { inserts, updates, deletes }: FilledVariableChanges,
  { now, recentMs }: { readonly now: number; readonly recentMs: number },
): void {
  for (const { name } of inserts) {
    const variable = known.get(name);
    if (variable === undefined) continue;
    if (variable.deleted_at === null) {
      throw new Problem(409, `There is a variable ${name} already. Update it instead.`);
    }
    // What lies in the future was deleted before somebody set the clock back.
    if (Math.abs(now - variable.deleted_at) < recentMs) {
      throw new Problem(
        409,
        `The variable ${name} was deleted a moment ago. Insert it again later.`,
      );
    }
  }
  for (const { name } of [...updates, ...deletes]) {
    if (known.get(name)?.deleted_at === null) continue;
    throw new Problem(400, `There is no variable ${name}. Insert it first, or leave it out.`);
  }
  const live = [...known.values()].filter(({ deleted_at }) => deleted_at === null).length;
  if (live + inserts.length - deletes.length <= maxVariables) return;
  throw new Problem(400, `A tool has at most ${maxVariables} variables. Delete some first.`);
}

/** Refuses to delete what a version that can be run would miss. */
export async function checkUnused(
  db: Kysely<Tables>,
  toolId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const versions = await db
    .selectFrom("tool_versions")
    .select(["major", "minor", "patch", "required_envvars", "required_secret_envvars"])
    .where("tool_id", "=", toolId)
    .where("deprecated", "=", 0)
    .execute();
  for (const { required_envvars, required_secret_envvars, ...number } of versions) {
    const required = new Set<string>([
      ...readNames(required_envvars, number),
      ...readNames(required_secret_envvars, number),
    ]);
    const used = names.find((name) => required.has(name));
    if (used === undefined) continue;
    throw new Problem(
      400,
      `Version ${toText(number)} requires the variable ${used}. Deprecate that version first.`,
    );
  }
}

function readNames(text: string, number: VersionNumber): readonly string[] {
  const what = `The list of variables of version ${toText(number)}`;
  return readStoredJson<string[]>(text, what, isTextList);
}
