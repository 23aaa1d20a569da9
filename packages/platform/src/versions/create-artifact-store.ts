import { createHash } from "node:crypto";
import type { PlatformParts } from "../platform-parts.ts";
import type { ArtifactStore } from "./resolved-version.ts";

/** Makes an artifact store in the database. */
export function createArtifactStore({
  store,
  now,
}: Pick<PlatformParts, "store" | "now">): ArtifactStore {
  return {
    put: async (digest, content) => {
      verify(digest, content);
      await store.db
        .insertInto("artifacts")
        .values({ digest, content, created_at: now() })
        .onConflict((conflict) => conflict.column("digest").doNothing())
        .execute();
      store.touch();
    },
    get: async (digest) => {
      const row = await store.db
        .selectFrom("artifacts")
        .select("content")
        .where("digest", "=", digest)
        .executeTakeFirst();
      if (row === undefined)
        throw new Error(`There is no artifact ${digest} in the database. ${remedy}`);
      verify(digest, row.content);
      return row.content;
    },
  };
}

const remedy = "Publish the tool again, or have the operator restore a backup.";

function verify(digest: string, content: Uint8Array): void {
  const actual = createHash("sha256").update(content).digest("hex");
  if (actual === digest) return;
  throw new Error(
    `The artifact ${digest} is not what it should be: its digest is ${actual}. ${remedy}`,
  );
}
