import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { beat } from "../history/heartbeat.ts";
import { openStore } from "../store/open-store.ts";
import type { Store, StoreLocation } from "../store/store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { findKeyId } from "./create-secret-box.ts";
import { type MasterKey, newMasterKey, toKeyText } from "./master-key.ts";
import { readMasterKeyFile, writeMasterKeyFile } from "./master-key-file.ts";
import { openSecretBox } from "./open-secret-box.ts";
import { resealStore } from "./reseal-store.ts";
import { type RotationOptions, rotateMasterKey, takeRotationLock } from "./rotate-master-key.ts";

import {
  idempotentAnswerContext,
  settingContext,
  toolVariableContext,
  userVariableContext,
  webhookSecretContext,
} from "./sealed-context.ts";
import type { SecretBox } from "./secret-box.ts";

const environment = {};

describeStores("rotateMasterKey", (stores) => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "haft-rotation-"));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const rotate = (store: Store, report: RotationOptions["report"] = () => undefined) =>
    rotateMasterKey({ store, directory, environment, settleMs: 0, report });
  const open = (): SecretBox => openSecretBox({ directory, environment });

  it("seals everything again and forgets the old key", async () => {
    const store = await stores.open();
    await fill(store, open(), 250);
    const [old] = readMasterKeyFile(directory);
    const before = store.generation();
    const rotation = await rotate(store);
    expect(rotation).toMatchObject({ resealed: 250 + 250 + 1, dropped: 1 });
    expect(readMasterKeyFile(directory).map(({ id }) => id)).toEqual([rotation.keyId]);
    expect(rotation.keyId).not.toBe(old?.id);
    if (store.kind === "sqlite") expect(store.generation()).not.toBe(before);
    await expectAll(store, open(), 250);
    const sealed = (await readSealed(store)).filter((value) => value !== "");
    expect(new Set(sealed.map(findKeyId))).toEqual(new Set([rotation.keyId]));
    expect(readdirSync(directory).sort()).toEqual(["master.key", "master.lock"]);
  });

  it("leaves alone what is not sealed, what was deleted, and when anything was changed", async () => {
    const store = await stores.open();
    await fill(store, open(), 1);
    await store.db.insertInto("settings").values({ name: "plain", value: "v1.2" }).execute();
    await rotate(store);
    const settings = await store.db.selectFrom("settings").selectAll().execute();
    expect(settings).toContainEqual({ name: "plain", value: "v1.2" });
    const variables = await store.db.selectFrom("tool_variables").selectAll().execute();
    expect(variables.find(({ name }) => name === "DELETED")?.value).toBe("");
    expect(new Set(variables.map(({ updated_at }) => updated_at))).toEqual(new Set([1]));
  });

  it("re-encrypts stored answers, but not pending ones", async () => {
    const store = await stores.open();
    const place = idempotentAnswerContext("o", "k one");
    const kept = { org_id: "o", request_hash: "h", headers: "{}", owner: "p", created_at: 1 };
    await store.db
      .insertInto("idempotent_answers")
      .values([
        { ...kept, key: "k one", status: 200, body: open().seal("answer", place) },
        { ...kept, key: "k two", status: 0, body: "" },
      ])
      .execute();
    expect(await rotate(store)).toMatchObject({ resealed: 1 });
    const rows = await store.db
      .selectFrom("idempotent_answers")
      .select("body")
      .orderBy("key")
      .execute();
    expect(open().open(rows[0]?.body ?? "", place)).toBe("answer");
    expect(rows[1]?.body).toBe("");
  });

  it("re-encrypts both secrets of a webhook", async () => {
    const store = await stores.open();
    const place = (which: "secret" | "previous_secret") => webhookSecretContext("o", "w", which);
    const secret = open().seal("whsec_new", place("secret"));
    const previous_secret = open().seal("whsec_old", place("previous_secret"));
    await store.db
      .insertInto("webhooks")
      .values({
        ...{ id: "w", org_id: "o", url: "https://example.com/", description: "", events: "[]" },
        ...{ links: 0, synchronous: 0, sessions: 0, enabled: 1, failures: 0, user_id: "u" },
        ...{ secret, previous_secret, previous_until: 2, created_at: 1, updated_at: 1 },
      })
      .execute();
    expect(await rotate(store)).toMatchObject({ resealed: 2, dropped: 1 });
    const row = await store.db.selectFrom("webhooks").selectAll().executeTakeFirstOrThrow();
    expect(open().open(row.secret, place("secret"))).toBe("whsec_new");
    expect(open().open(row.previous_secret, place("previous_secret"))).toBe("whsec_old");
  });

  it("loses nothing if it is killed at any step, and can be done again", async () => {
    const location = await stores.locate();
    const store = await openStore(location);
    await fill(store, open(), 1);
    let step = 0;
    let end: string;
    do {
      step += 1;
      end = await rotateInProcess(location, directory, step);
      // A new process has what it needs, and so has one that was there all the time.
      await expectAll(store, open(), 1);
    } while (end === "SIGKILL");
    expect(end).toBe("done");
    // The key, each table, the end, and once without being killed.
    expect(step).toBe(1 + 3 + 1 + 1);
    expect(readMasterKeyFile(directory)).toHaveLength(1);
    await store.close();
  });

  it("works beside a server that continues sealing", async () => {
    const store = await stores.open();
    const server = open();
    await fill(store, server, 3);
    let count = 0;
    const write = async (): Promise<void> => {
      const name = `during${count++}`;
      const value = server.seal(name, userVariableContext("o", "u", name));
      await insertUserVariable(store, name, value);
    };
    await rotate(store, write);
    expect(count).toBeGreaterThan(2);
    await expectAll(store, server, 3);
    await expectAll(store, open(), 3);
    for (let each = 0; each < count; each += 1) {
      expect(await readUserVariable(store, open(), `during${each}`)).toBe(`during${each}`);
    }
  });

  it("does not overwrite what somebody sets meanwhile", async () => {
    const store = await stores.open();
    const server = open();
    await fill(store, server, 3);
    const [key] = readMasterKeyFile(directory);
    const newer = server.seal("newer", userVariableContext("o", "u", "name0"));
    let setting: Promise<unknown> | undefined;
    // Somebody sets it when its old value was just read.
    const set = () =>
      store.db
        .updateTable("user_variables")
        .set({ value: newer })
        .where("name", "=", "name0")
        .execute();
    const box: SecretBox = {
      ...server,
      open: (sealed, place) => {
        if (place.includes("name0")) setting ??= set();
        return server.open(sealed, place);
      },
    };
    const other = newMasterKey();
    writeMasterKeyFile(directory, [other, key as MasterKey]);
    await resealStore({ store, box, key: other, report: async () => undefined });
    await setting;
    expect(await readUserVariable(store, open(), "name0")).toBe("newer");
  });

  it("takes back the old key for what was stored at the last moment", async () => {
    const store = await stores.open();
    const server = open();
    await fill(store, server, 1);
    // Sealed before the rotation, stored only when it was about to end.
    const late = server.seal("late", userVariableContext("o", "u", "late"));
    let drops = 0;
    await rotate(store, async (step) => {
      if (step !== "old keys dropped") return;
      drops += 1;
      if (drops === 1) await insertUserVariable(store, "late", late);
    });
    expect(drops).toBe(2);
    expect(await readUserVariable(store, open(), "late")).toBe("late");
    expect(readMasterKeyFile(directory)).toHaveLength(1);
  });

  it("keeps every key while there is something that it can't open, and says where", async () => {
    const store = await stores.open();
    await fill(store, open(), 2);
    await insertUserVariable(
      store,
      "moved",
      open().seal("x", userVariableContext("o", "u", "other")),
    );
    await expect(rotate(store)).rejects.toThrow(
      /can't be opened with any available key: user-variable o u moved\. .*All keys were kept/,
    );
    expect(readMasterKeyFile(directory)).toHaveLength(2);
    await expectAll(store, open(), 2);
    await store.db.deleteFrom("user_variables").where("name", "=", "moved").execute();
    await rotate(store);
    expect(readMasterKeyFile(directory)).toHaveLength(1);
    await expectAll(store, open(), 2);
  });

  it("is done by one at a time", async () => {
    const store = await stores.open();
    open();
    const before = readFileSync(join(directory, "master.key"), "utf8");
    const lock = takeRotationLock(directory);
    await expect(rotate(store)).rejects.toThrow(/Another rotation .* is running/);
    expect(readFileSync(join(directory, "master.key"), "utf8")).toBe(before);
    lock.release();
    await rotate(store);
  });

  /** A process that runs, as its heartbeats show, and has these keys. */
  const runBeside = async (store: Store, keyIds: () => readonly string[]): Promise<void> => {
    const secrets = { ...open(), keyIds };
    let at = 1;
    const parts = { store, secrets, processId: "beside", now: () => at++ };
    await beat(parts, store.db, "worker");
    const timer = setInterval(() => void beat(parts, store.db).catch(() => undefined), 50);
    onTestFinished(() => clearInterval(timer));
  };

  it("leaves no running process without its key, wherever that has it from", async () => {
    const store = await stores.open();
    await fill(store, open(), 1);
    const [old] = readMasterKeyFile(directory) as [MasterKey];
    await runBeside(store, () => [old.id]);
    await expect(rotate(store)).rejects.toThrow(
      /running process does not have the new master key [0-9a-f]{16}: beside \(role worker, pid \d+\)\. Nothing was lost/u,
    );
    // The old key seals, and what was sealed with the new one meanwhile can be opened.
    expect(readMasterKeyFile(directory)[0]?.id).toBe(old.id);
    expect(readMasterKeyFile(directory)).toHaveLength(2);
    const both = `${randomBytes(32).toString("hex")},${toKeyText(old)}`;
    const environment = { HAFT_MASTER_KEY: both };
    await expect(rotateMasterKey({ store, environment })).rejects.toThrow(/does not have the new/u);
    expect(new Set((await readSealed(store)).map(findKeyId))).toEqual(new Set([old.id, undefined]));
  });

  it("waits for running processes until they have read the new key", async () => {
    const store = await stores.open();
    await fill(store, open(), 1);
    await runBeside(store, open().keyIds);
    await rotate(store);
    await expectAll(store, open(), 1);
    expect(readMasterKeyFile(directory)).toHaveLength(1);
  });

  it("makes no key where the old one is missing", async () => {
    const store = await stores.open();
    await expect(rotate(store)).rejects.toThrow(/master\.key is missing/);
    expect(readdirSync(directory)).toEqual(["master.lock"]);
  });

  it("seals with the first key of the environment", async () => {
    const store = await stores.open();
    const [older, newer] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
    await fill(store, openSecretBox({ environment: { HAFT_MASTER_KEY: older } }), 3);
    const both = { HAFT_MASTER_KEY: `${newer},${older}` };
    const rotation = await rotateMasterKey({ store, environment: both });
    expect(rotation).toMatchObject({ resealed: 3 + 3 + 1, dropped: 0 });
    await expectAll(store, openSecretBox({ environment: { HAFT_MASTER_KEY: newer } }), 3);
    await expect(
      rotateMasterKey({ store, environment: { HAFT_MASTER_KEY: older } }),
    ).rejects.toThrow(/can't be opened with any available key: .* and 2 more\./);
  });
});

async function fill(store: Store, box: SecretBox, count: number): Promise<void> {
  const shared = { org_id: "o", is_secret: 1, updated_at: 1 } as const;
  const numbers = [...Array(count).keys()];
  await store.db
    .insertInto("tool_variables")
    .values([
      { ...shared, tool_id: "t", name: "DELETED", value: "", deleted_at: 1 },
      ...numbers.map((number) => {
        const name = `NAME${number}`;
        const value = box.seal(`tool ${number}`, toolVariableContext("o", "t", name));
        return { ...shared, tool_id: "t", name, value, deleted_at: null };
      }),
    ])
    .execute();
  await store.db
    .insertInto("user_variables")
    .values(
      numbers.map((number) => {
        const name = `name${number}`;
        const value = box.seal(`user ${number}`, userVariableContext("o", "u", name));
        return { ...shared, user_id: "u", name, value };
      }),
    )
    .execute();
  const value = box.seal("setting", settingContext("sealed"));
  await store.db.insertInto("settings").values({ name: "sealed", value }).execute();
}

async function expectAll(store: Store, box: SecretBox, count: number): Promise<void> {
  const { db } = store;
  const tools = await db
    .selectFrom("tool_variables")
    .selectAll()
    .where("value", "<>", "")
    .execute();
  for (const { name, value } of tools) {
    const opened = box.open(value, toolVariableContext("o", "t", name));
    expect(opened).toBe(`tool ${name.slice(4)}`);
  }
  expect(tools).toHaveLength(count);
  for (let number = 0; number < count; number += 1) {
    expect(await readUserVariable(store, box, `name${number}`)).toBe(`user ${number}`);
  }
  const setting = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", "sealed")
    .executeTakeFirstOrThrow();
  expect(box.open(setting.value, settingContext("sealed"))).toBe("setting");
}

async function readUserVariable(store: Store, box: SecretBox, name: string): Promise<string> {
  const { value } = await store.db
    .selectFrom("user_variables")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return box.open(value, userVariableContext("o", "u", name));
}

async function insertUserVariable(store: Store, name: string, value: string): Promise<void> {
  await store.db
    .insertInto("user_variables")
    .values({ org_id: "o", user_id: "u", name, is_secret: 1, value, updated_at: 1 })
    .execute();
}

async function readSealed({ db }: Store): Promise<readonly string[]> {
  const rows = await Promise.all([
    db.selectFrom("tool_variables").select("value").execute(),
    db.selectFrom("user_variables").select("value").execute(),
    db.selectFrom("settings").select("value").execute(),
  ]);
  return rows.flat().map(({ value }) => value);
}

/** Rotates in a process of its own that is killed at a step; resolves to how that ended. */
function rotateInProcess(
  location: StoreLocation,
  directory: string,
  step: number,
): Promise<string> {
  const source = `import { openStore } from ${JSON.stringify(import.meta.resolve("../store/open-store.ts"))};
    import { rotateMasterKey } from ${JSON.stringify(import.meta.resolve("./rotate-master-key.ts"))};
    const store = await openStore(${JSON.stringify(location)});
    let left = ${step};
    await rotateMasterKey({
      store, directory: ${JSON.stringify(directory)}, environment: {}, settleMs: 0,
      report: () => { left -= 1; if (left === 0) process.kill(process.pid, "SIGKILL"); },
    });
    await store.close();`;
  return new Promise((resolve) => {
    execFile(process.execPath, ["--input-type=module", "--eval", source], (error, _, stderr) => {
      resolve(error === null ? "done" : (error.signal ?? stderr));
    });
  });
}
