import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { exportAuditTrail } from "../organizations/audit-trail.ts";
import type { Store } from "../store/store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { type Audit, createAudit } from "./audit.ts";
import { anchorsFile, readAuditAnchors, writeAuditAnchors } from "./audit-anchors.ts";
import { type AuditAnchor, type AuditReport, createAuditCheck } from "./audit-check.ts";
import { hashAuditLine } from "./audit-line.ts";

const author = { organization: "o", userId: "u", keyId: "k" };

async function check(store: Store, anchors: readonly AuditAnchor[] = []): Promise<AuditReport> {
  const checking = createAuditCheck(anchors);
  const page = { organization: "o", after: 0, limit: 1_000 };
  for (const line of await exportAuditTrail({ store }, page)) checking.add(line);
  return checking.finish();
}

const write = (audit: Audit, count: number): Promise<unknown> =>
  Promise.all(
    Array.from({ length: count }, (_, each) =>
      audit.recordAlone(author, { action: "tool.modify", target: `t${each}` }),
    ),
  );

describeStores("the audit trail", (stores) => {
  it("keeps who changed what, when, in order, in the transaction of the change", async () => {
    const store = await stores.open();
    let time = 1_000;
    const audit = createAudit({ store, now: () => time++ });
    const detail = { name: "ä\0", list: [1, { b: null, a: "\ud800" }] };
    await audit.recordAlone(author, { action: "tool.create", target: "t", detail });
    const undone = store.db.transaction().execute(async (transaction) => {
      await audit.record(transaction, author, { action: "tool.modify", target: "t" });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await audit.recordAlone({ ...author, keyId: "" }, { action: "tool.delete", target: "t" });
    await audit.recordAlone({ ...author, organization: "p" }, { action: "x", target: "y" });
    const page = { organization: "o", after: 0, limit: 10 };
    const [one, two, ...more] = await exportAuditTrail({ store }, page);
    expect(more).toEqual([]);
    const shared = { id: expect.any(Number), org_id: "o", user_id: "u", target: "t" };
    expect(one).toEqual({
      ...{ ...shared, number: 1, created_at: "1970-01-01T00:00:01.000Z", api_key_id: "k" },
      ...{ action: "tool.create", detail, previous_hash: null },
      hash: expect.stringMatching(/^[0-9a-f]{64}$/u),
    });
    expect(two).toMatchObject({
      ...{ ...shared, number: 2, api_key_id: null, action: "tool.delete", detail: {} },
      previous_hash: one?.hash,
    });
    expect(await check(store)).toMatchObject({ lines: 2, problems: [], last: { number: 2 } });
  });

  it("stays one chain while many write at once", async () => {
    const store = await stores.open();
    const audits = [createAudit({ store, now: Date.now }), createAudit({ store, now: Date.now })];
    await Promise.all(audits.map((audit) => write(audit, 30)));
    expect(await check(store)).toMatchObject({ lines: 60, unchained: 0, problems: [] });
  });

  it("shows what was changed, added, moved or removed outside Haft", async () => {
    const store = await stores.open();
    const audit = createAudit({ store, now: Date.now });
    await sql`insert into audit (org_id, user_id, action, target, detail, created_at)
      values ('o', 'u', 'from.before', 't', '{}', 1)`.execute(store.db);
    await write(audit, 6);
    const whole = await check(store);
    expect(whole).toMatchObject({ lines: 6, unchained: 1, problems: [] });
    const at = "2027-01-01T00:00:00.000Z";
    const anchor = { organization: "o", at, ...(whole.last as { number: number; hash: string }) };
    expect(await check(store, [anchor])).toMatchObject({ anchors: 1, problems: [] });

    const tamper = async (
      statement: ReturnType<typeof sql>,
      anchors: readonly AuditAnchor[] = [],
    ): Promise<readonly string[]> => {
      let problems: readonly string[] = [];
      const changed = store.db.transaction().execute(async (transaction) => {
        await statement.execute(transaction);
        ({ problems } = await check({ ...store, db: transaction }, anchors));
        throw new Error("back");
      });
      await expect(changed).rejects.toThrow("back");
      return problems;
    };
    expect(await tamper(sql`update audit set target = 'x' where number = 3`)).toEqual([
      "Line 3 was changed: its hash does not match.",
    ]);
    expect(await tamper(sql`delete from audit where number in (3, 4)`)).toEqual([
      "Lines 3 to 4 are missing.",
    ]);
    expect(await tamper(sql`delete from audit where number = 1`)).toEqual(["Line 1 is missing."]);
    expect(await tamper(sql`update audit set number = null where number = 5`)).toEqual([
      expect.stringMatching(/^The line with the ID \d+ has no number/u),
      "Line 5 is missing.",
    ]);
    // Without anchors, the end can be cut off. That is what they are for.
    expect(await tamper(sql`delete from audit where number > 4`)).toEqual([]);
    expect(await tamper(sql`delete from audit where number > 4`, [anchor])).toEqual([
      `Lines 5 to 6 are missing. The anchor of ${at} names the last one.`,
    ]);
    expect(await tamper(sql`delete from audit`, [anchor])).toHaveLength(1);

    // Somebody who computes every hash again is stopped by the anchor.
    const forged = createAuditCheck([anchor]);
    let previous_hash: string | null = null;
    for (const line of await exportAuditTrail(
      { store },
      { organization: "o", after: 0, limit: 9 },
    )) {
      const changed = line.number === 2 ? { ...line, target: "forged" } : line;
      const linked = { ...changed, previous_hash };
      if (line.number !== null) previous_hash = hashAuditLine(linked);
      forged.add(line.number === null ? line : { ...linked, hash: previous_hash });
    }
    expect(forged.finish().problems).toEqual([
      `Line 6 is not the line that the anchor of ${at} names.`,
    ]);
  });

  it("is anchored once a day if it has grown", async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-anchors-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const store = await stores.open();
    let time = Date.UTC(2027, 0, 1);
    const parts = { store, now: () => time };
    const audit = createAudit(parts);
    expect(await writeAuditAnchors(parts, directory)).toEqual([]);
    await write(audit, 2);
    expect(await writeAuditAnchors(parts, directory)).toMatchObject([{ number: 2 }]);
    await write(audit, 1);
    time += 23 * 3_600_000;
    expect(await writeAuditAnchors(parts, directory)).toEqual([]);
    time += 3_600_000;
    expect(await writeAuditAnchors(parts, directory)).toMatchObject([
      { organization: "o", number: 3, at: "2027-01-02T00:00:00.000Z" },
    ]);
    time += 48 * 3_600_000;
    expect(await writeAuditAnchors(parts, directory)).toEqual([]);
    const anchors = readAuditAnchors(directory, "o");
    expect(await check(store, anchors)).toMatchObject({ anchors: 2, problems: [] });
    expect(readAuditAnchors(directory, "p")).toEqual([]);
    expect(statSync(join(directory, anchorsFile)).mode & 0o777).toBe(0o600);
  });
});
