import { isAmong } from "../store/is-among.ts";
import type { Store } from "../store/store.ts";
import { createBoundedCache } from "../versions/bounded-cache.ts";
import { toTagText } from "./tags.ts";

/** Lists the tags that an organization's tools have, each once, as filters take them. */
export type TagLister = (
  organization: string,
  /** Only tags of these tools. Default: of all. */
  visible?: ReadonlySet<string>,
) => Promise<readonly string[]>;

// Characters of tags that are kept in memory.
const maxCharacters = 4_000_000;

interface KnownTags {
  readonly generation: string;
  readonly tags: readonly string[];
}

/**
 * Makes a lister that remembers tags until anything has changed: to find them it has to look at every
 * tool's.
 */
export function createTagLister(store: Store): TagLister {
  const cache = createBoundedCache<KnownTags>(maxCharacters);
  return async (organization, visible) => {
    const generation = visible === undefined ? store.generation() : undefined;
    const known = cache.get(organization);
    if (known !== undefined && known.generation === generation) return known.tags;
    const rows = await store.db
      .selectFrom("tool_tags")
      .select(["key", "value"])
      .distinct()
      .where("org_id", "=", organization)
      .$if(visible !== undefined, (query) =>
        query.where(isAmong(store, "tool_id", visible ?? new Set())),
      )
      .execute();
    const tags = rows.map(toTagText).sort();
    if (generation !== undefined) {
      cache.set(organization, { generation, tags }, tags.join(" ").length + 100);
    }
    return tags;
  };
}
