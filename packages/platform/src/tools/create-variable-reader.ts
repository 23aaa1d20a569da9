import type { PlatformParts } from "../platform-parts.ts";
import { toolVariableContext } from "../secrets/sealed-context.ts";
import { createBoundedCache } from "../versions/bounded-cache.ts";
import type { VariableReader } from "../versions/resolved-version.ts";

// Characters of opened values that are kept in memory.
const maxCharacters = 16_000_000;

interface KnownVariables {
  readonly generation: string | undefined;
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Makes a reader of tools' variables. What it has opened it uses until anything has changed. A name
 * that the tool has no variable of is left out.
 */
export function createVariableReader({
  store,
  secrets,
}: Pick<PlatformParts, "store" | "secrets">): VariableReader {
  const cache = createBoundedCache<KnownVariables>(maxCharacters);
  const readAll = async (
    organization: string,
    toolId: string,
  ): Promise<ReadonlyMap<string, string>> => {
    const rows = await store.db
      .selectFrom("tool_variables")
      .select(["name", "value"])
      .where("tool_id", "=", toolId)
      .where("org_id", "=", organization)
      .where("deleted_at", "is", null)
      .execute();
    const open = (name: string, value: string): string =>
      secrets.open(value, toolVariableContext(organization, toolId, name));
    return new Map(rows.map(({ name, value }) => [name, open(name, value)]));
  };
  return {
    read: (organization, toolId, names) => {
      if (names.length === 0) return {};
      const key = `${organization} ${toolId}`;
      const generation = store.generation();
      const known = generation === undefined ? undefined : cache.get(key);
      if (known !== undefined && known.generation === generation) return pick(known.values, names);
      return readAll(organization, toolId).then((values) => {
        if (generation !== undefined) cache.set(key, { generation, values }, toSize(values));
        return pick(values, names);
      });
    },
  };
}

function pick(
  values: ReadonlyMap<string, string>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function toSize(values: ReadonlyMap<string, string>): number {
  let size = 100;
  for (const [name, value] of values) size += name.length + value.length;
  return size;
}
