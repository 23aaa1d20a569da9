import { expect, it } from "vitest";
import { administratorRole, permissions } from "../auth/permissions.ts";
import { createTestParts } from "../auth/test-support/create-test-parts.ts";
import { openStore } from "../store/open-store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { createApiKeys } from "./api-keys.ts";
import { createOrganization } from "./create-organization.ts";
import { requireLocalPrincipal } from "./local-principal.ts";
import { createRoles } from "./roles.ts";

const day = 86_400_000;
const refused = { name: "Problem", status: 409, message: /last administrator key/u };

describeStores("an organization's last administrator key", (stores) => {
  const open = async () => {
    const parts = createTestParts(await stores.open());
    const { api_key_id: first } = await createOrganization(parts, "one");
    await createOrganization(parts, "two");
    const principal = await requireLocalPrincipal(parts, "one");
    const keys = createApiKeys(parts);
    const create = async (durationMs: number, roleName: string = administratorRole) =>
      (await keys.create(principal, { name: null, durationMs, roleName })).keyId;
    const remove = (keyId: string) => keys.delete(principal, keyId);
    return { parts, principal, first, keys, create, remove };
  };

  const expectRefused = (changing: Promise<unknown>) =>
    expect(changing).rejects.toMatchObject({
      status: refused.status,
      message: expect.stringMatching(refused.message),
    });

  it("is not deleted while there is no other", async () => {
    const { first, remove, create, keys, principal } = await open();
    await expectRefused(remove(first));
    expect(await keys.list(principal)).toHaveLength(1);
    const second = await create(30 * day);
    await remove(first);
    await expectRefused(remove(second));
  });

  it("has no stand-in in a key of another role, of another organization or about to end", async () => {
    const { parts, principal, first, create, remove } = await open();
    await createRoles(parts).create(principal, {
      name: "almost",
      permissions: permissions.slice(1),
    });
    const almost = await create(30 * day, "almost");
    await create(3_600_000);
    await expectRefused(remove(first));
    await remove(almost);
    const second = await create(2 * day);
    parts.advance(1.5 * day);
    await expectRefused(remove(first));
    // What has ended can go, and what ends earlier than the other.
    parts.advance(day);
    await remove(second);
  });

  it("has one in a key of another role that may do everything", async () => {
    const { parts, principal, first, create, remove } = await open();
    await createRoles(parts).create(principal, { name: "all", permissions });
    const other = await create(30 * day, "all");
    await remove(first);
    await expectRefused(remove(other));
  });

  it("is replaced by a key that lasts only", async () => {
    const { principal, first, keys } = await open();
    const rotate = (keyId: string, graceMs: number, durationMs?: number) =>
      keys.rotate(principal, keyId, { graceMs, durationMs });
    await expectRefused(rotate(first, 0, 1_000));
    await expectRefused(rotate(first, 3_600_000, 1_000));
    expect(await keys.list(principal)).toHaveLength(1);
    const { keyId } = await rotate(first, 3_600_000, 30 * day);
    // The old one ends in an hour.
    await expectRefused(keys.delete(principal, keyId));
    await keys.delete(principal, first);
  });

  it("stays when all are deleted at once, by several processes too", async () => {
    const location = await stores.locate();
    const store = await openStore(location);
    // Two connections of one thread would wait for each other on SQLite.
    const beside = location.kind === "sqlite" ? store : await openStore(location);
    const [one, two] = [createTestParts(store), createTestParts(beside)];
    const { api_key_id: first } = await createOrganization(one, "one");
    const principal = await requireLocalPrincipal(one);
    const keys = [createApiKeys(one), createApiKeys(two)] as const;
    const key = { name: null, durationMs: 30 * day, roleName: administratorRole };
    const all = [
      first,
      ...(await Promise.all([1, 2, 3].map(() => keys[0].create(principal, key)))).map(
        ({ keyId }) => keyId,
      ),
    ];
    const outcomes = await Promise.allSettled(
      all.map((keyId, index) => (keys[index % 2] ?? keys[0]).delete(principal, keyId)),
    );
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(1);
    expect(await keys[0].list(principal)).toHaveLength(1);
    for (const each of new Set([store, beside])) await each.close();
  });
});
