import type { Kysely } from "kysely";
import type { Tables } from "../store/schema.ts";
import type { VersionNumber } from "./resolved-version.ts";
import { toText } from "./version-text.ts";

/** Which part of a version's number grows. */
export type Bump = "major" | "minor" | "patch";

/** The number that a tool's next version gets. */
export interface NextVersion {
  readonly number: VersionNumber;
  /** `1.2.3` */
  readonly text: string;
  /** Counts the versions of a tool, from 1. */
  readonly sequence: number;
}

/**
 * Finds the next version's number. The first is 1.0.0, whatever grows. Deprecated versions count,
 * so that a number never means two things.
 */
export async function findNextVersion(
  db: Kysely<Tables>,
  toolId: string,
  bump: Bump,
): Promise<NextVersion> {
  const highest = await db
    .selectFrom("tool_versions")
    .select(["major", "minor", "patch", "sequence"])
    .where("tool_id", "=", toolId)
    .orderBy("major", "desc")
    .orderBy("minor", "desc")
    .orderBy("patch", "desc")
    .limit(1)
    .executeTakeFirst();
  const number = highest === undefined ? first : increase(highest, bump);
  return { number, text: toText(number), sequence: (highest?.sequence ?? 0) + 1 };
}

const first: VersionNumber = { major: 1, minor: 0, patch: 0 };

function increase({ major, minor, patch }: VersionNumber, bump: Bump): VersionNumber {
  if (bump === "major") return { major: major + 1, minor: 0, patch: 0 };
  if (bump === "minor") return { major, minor: minor + 1, patch: 0 };
  return { major, minor, patch: patch + 1 };
}
