import { expect, it } from "vitest";
import { describeStores } from "../test-support/describe-stores.ts";
import { createAudit } from "./audit.ts";

describeStores("createAudit", (stores) => {
  it("keeps who changed what, when, in order", async () => {
    const store = await stores.open();
    let time = 1_000;
    const audit = createAudit({ store, now: () => time++ });
    const principal = { organization: "o", userId: "u", keyId: "k" };
    const detail = { name: "ä\0", list: [1, { a: null }] };
    await audit.record(principal, { action: "tool.create", target: "t", detail });
    await audit.record({ ...principal, keyId: "" }, { action: "tool.delete", target: "t" });
    const rows = await store.db.selectFrom("audit").selectAll().orderBy("seq").execute();
    const shared = { org_id: "o", user_id: "u", target: "t" };
    expect(rows).toEqual([
      {
        ...shared,
        seq: expect.any(Number),
        key_id: "k",
        action: "tool.create",
        detail: JSON.stringify(detail),
        created_at: 1_000,
      },
      {
        ...shared,
        seq: expect.any(Number),
        key_id: null,
        action: "tool.delete",
        detail: "{}",
        created_at: 1_001,
      },
    ]);
  });
});
