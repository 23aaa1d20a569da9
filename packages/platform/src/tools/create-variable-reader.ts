import type { PlatformParts } from "../platform-parts.ts";
import { toolVariableContext } from "../secrets/sealed-context.ts";
import { createBoundedCache } from "../versions/bounded-cache.ts";
import type { ToolVariables, VariableReader } from "../versions/resolved-version.ts";

// Characters of opened values that are kept in memory.
const maxCharacters = 16_000_000;

interface KnownVariables {
  readonly generation: string | undefined;
  readonly variables: ToolVariables;
}

/** Makes a reader of tools' variables. What it has opened it uses until anything has changed. */
export function createVariableReader({
  store,
  secrets,
}: Pick<PlatformParts, "store" | "secrets">): VariableReader {
  const cache = createBoundedCache<KnownVariables>(maxCharacters);
  const readAll = async (organization: string, toolId: string): Promise<ToolVariables> => {
    const rows = await store.db
      .selectFrom("tool_variables")
      .select(["name", "value", "is_secret"])
      .where("tool_id", "=", toolId)
      .where("org_id", "=", organization)
      .where("deleted_at", "is", null)
      .orderBy("name")
      .execute();
    const opened = rows.map(({ name, value, is_secret }) => ({
      name,
      value: secrets.open(value, toolVariableContext(organization, toolId, name)),
      isSecret: is_secret === 1,
    }));
    return {
      values: Object.fromEntries(opened.map(({ name, value }) => [name, value])),
      secrets: opened.filter(({ isSecret }) => isSecret).map(({ value }) => value),
    };
  };
  return {
    read: (organization, toolId) => {
      const key = `${organization} ${toolId}`;
      const generation = store.generation();
      const known = generation === undefined ? undefined : cache.get(key);
      if (known !== undefined && known.generation === generation) return known.variables;
      return readAll(organization, toolId).then((variables) => {
        if (generation !== undefined) cache.set(key, { generation, variables }, toSize(variables));
        return variables;
      });
    },
  };
}

function toSize({ values }: ToolVariables): number {
  let size = 100;
  for (const [name, value] of Object.entries(values)) size += name.length + value.length;
  return size;
}
