import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { toIsoMoment } from "../iso-moment.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { type AuditAnchor, parseAuditAnchors } from "./audit-check.ts";
import { type Log, toErrorFields } from "./logging.ts";

/** The file of a data directory that holds anchors, one line of JSON each. */
export const anchorsFile = "audit-anchors.jsonl";

const dayMs = 24 * 60 * 60 * 1000;

/** Reads the anchors in a data directory, of all organizations or of one. */
export function readAuditAnchors(directory: string, organization?: string): AuditAnchor[] {
  let text: string;
  try {
    text = readFileSync(join(directory, anchorsFile), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return parseAuditAnchors(text).filter(
    (anchor) => organization === undefined || anchor.organization === organization,
  );
}

/**
 * Writes the end of each organization's chain into the data directory, if it has grown and the last
 * anchor is a day old. Returns the new anchors.
 */
export async function writeAuditAnchors(
  { store, now }: Pick<PlatformParts, "store" | "now">,
  directory: string,
): Promise<readonly AuditAnchor[]> {
  const newest = new Map(
    readAuditAnchors(directory).map((anchor) => [anchor.organization, anchor]),
  );
  const time = now();
  const chains = await store.db.selectFrom("audit_chains").selectAll().execute();
  const added = chains.flatMap(({ org_id, number, hash }): AuditAnchor[] => {
    const last = newest.get(org_id);
    const isDue =
      last === undefined || (number > last.number && time - Date.parse(last.at) >= dayMs);
    return isDue && hash !== null
      ? [{ organization: org_id, number, hash, at: toIsoMoment(time) }]
      : [];
  });
  if (added.length === 0) return added;
  const fd = openSync(join(directory, anchorsFile), "a", 0o600);
  try {
    writeSync(fd, added.map((anchor) => `${JSON.stringify(anchor)}\n`).join(""));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return added;
}

// Each look is cheap.
const lookMs = 3_600_000;

/** Writes anchors now and from time to time, and logs them. A failure is only logged. */
export async function startAuditAnchors(
  parts: Pick<PlatformParts, "store" | "now">,
  directory: string,
  log: Log | undefined,
): Promise<{ stop(): void }> {
  const write = (): Promise<void> =>
    writeAuditAnchors(parts, directory).then(
      (added) => {
        for (const line of added) log?.info({ ...line }, "Anchor of the audit trail.");
      },
      (error) => log?.warn(toErrorFields(error), "No anchor of the audit trail was written."),
    );
  const timer = setInterval(write, lookMs).unref();
  await write();
  return { stop: () => clearInterval(timer) };
}
