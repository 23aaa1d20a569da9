import { expect, it } from "vitest";
import { RateCounter } from "../api/rate-counter.ts";
import { createTokens } from "../auth/tokens.ts";
import { createCautiousClock } from "../cautious-clock.ts";
import { createHistory } from "../history/create-history.ts";
import { beat, isAlive, startHeartbeat } from "../history/heartbeat.ts";
import { sampleRow } from "../history/test-support/open-history.ts";
import { createIdempotency } from "../invoke/idempotency.ts";
import { defaultSettings } from "../platform-settings.ts";
import type { Store } from "../store/store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { plainBox } from "../test-support/plain-box.ts";
import { checkAgainst } from "../tools/check-variables.ts";
import { holdOperation } from "../versions/operation-lock.ts";
import { recoverOperations } from "../versions/recover-operations.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A machine whose clock somebody sets, while time passes as it does. */
function createMachine() {
  let wall = Date.UTC(2026, 0, 1);
  let steady = 1_000;
  return {
    now: () => wall,
    steadyNow: () => steady,
    pass: (milliseconds: number) => {
      wall += milliseconds;
      steady += milliseconds;
    },
    jump: (milliseconds: number) => {
      wall += milliseconds;
    },
  };
}

describeStores("a clock that jumps", (stores) => {
  const settings = { ...defaultSettings, historyDays: 30 };
  const open = (store: Store, machine: ReturnType<typeof createMachine>, processId = "here") => {
    const { now, steadyNow } = machine;
    const ageNow = createCautiousClock(now, steadyNow);
    return { store, settings, secrets: plainBox, processId, now, steadyNow, ageNow };
  };

  it.each([
    ["forward", 400 * dayMs],
    ["back", -400 * dayMs],
  ])("%s makes no live process dead, and none live for longer", async (_, jump) => {
    const store = await stores.open();
    const machine = createMachine();
    const parts = open(store, machine);
    // On another machine: known by its heartbeats only.
    const there = { ...open(store, machine, "there"), secrets: plainBox };
    const heartbeat = await startHeartbeat(there);
    const unmark = () => store.db.updateTable("processes").set({ mark: null }).execute();
    await unmark();
    const work = Promise.withResolvers<void>();
    const held = holdOperation(
      there,
      { organization: "o", toolId: "t", kind: "publish", userId: "u" },
      () => work.promise,
    );
    machine.jump(jump);
    const history = createHistory(parts, parts);
    await history.tidy();
    await recoverOperations(parts, (owner) => isAlive(parts, owner));
    expect(await isAlive(parts, "there")).toBe(true);
    const running = await store.db.selectFrom("operations").select("ended_at").execute();
    expect(running.map(({ ended_at }) => ended_at)).toEqual([null]);
    work.resolve();
    await held;
    machine.pass(29_000);
    expect(await isAlive(parts, "there")).toBe(true);
    machine.pass(2_000);
    expect(await isAlive(parts, "there")).toBe(false);
    await beat(there, store.db);
    await unmark();
    expect(await isAlive(parts, "there")).toBe(true);
    await heartbeat.stop();
    await history.close();
  });

  it("forward deletes no history, and back keeps none for longer", async () => {
    const store = await stores.open();
    const machine = createMachine();
    const parts = open(store, machine);
    const history = createHistory(parts, parts);
    const row = sampleRow({}, machine.now());
    await history.begin(row).end(row);
    const count = async (): Promise<number> =>
      (await store.db.selectFrom("invocations").select("id").execute()).length;
    machine.jump(400 * dayMs);
    await history.tidy();
    expect(await count()).toBe(1);
    machine.jump(-400 * dayMs);
    machine.pass(29 * dayMs);
    await history.tidy();
    expect(await count()).toBe(1);
    machine.pass(2 * dayMs);
    await history.tidy();
    expect(await count()).toBe(0);
    await history.close();
  });

  it.each([
    ["forward by hours", 5 * hourMs],
    ["forward by days", 30 * dayMs],
    ["back by hours", -5 * hourMs],
    ["back by days", -30 * dayMs],
  ])("%s repeats nothing that was asked for with the same Idempotency-Key", async (_, jump) => {
    const store = await stores.open();
    const machine = createMachine();
    const idempotency = createIdempotency(open(store, machine));
    const request = { principal: { organization: "o", keyId: "k" }, key: "one", content: "body" };
    const answer = { status: 200, headers: {}, body: "done" };
    const claim = await idempotency.claim(request);
    if (claim.answer !== undefined) throw new Error("It was never asked for.");
    await claim.keep(answer);
    machine.jump(jump);
    expect((await idempotency.claim(request)).answer).toEqual(answer);
    machine.jump(-jump);
    machine.pass(25 * hourMs);
    expect((await idempotency.claim(request)).answer).toBeUndefined();
  });

  it("decides about tokens by itself: they say until when they hold", async () => {
    const store = await stores.open();
    const machine = createMachine();
    const tokens = createTokens(open(store, machine));
    const claims = { organization: "o", userId: "u", keyId: "k", roleId: "r" };
    const token = await tokens.sign({ ...claims, expiresAt: machine.now() + hourMs });
    machine.jump(-5 * hourMs);
    expect(await tokens.verify(token)).toMatchObject(claims);
    expect(tokens.findVerified(token)).toMatchObject(claims);
    machine.jump(7 * hourMs);
    expect(await tokens.verify(token)).toBeUndefined();
    expect(tokens.findVerified(token)).toBeUndefined();
  });
});

it("does not keep a caller limited for longer than the window", () => {
  const machine = createMachine();
  const counter = new RateCounter({ cache: 2, steadyNow: machine.steadyNow });
  const count = (key: string): { current: number; ttl: number } => {
    let found = { current: 0, ttl: 0 };
    counter.incr(
      key,
      (_error, result) => {
        found = result;
      },
      60_000,
    );
    return found;
  };
  expect(count("one")).toEqual({ current: 1, ttl: 60_000 });
  machine.pass(20_000);
  machine.jump(-5 * hourMs);
  expect(count("one")).toEqual({ current: 2, ttl: 40_000 });
  machine.jump(10 * hourMs);
  expect(count("one").current).toBe(3);
  machine.pass(40_000);
  expect(count("one")).toEqual({ current: 1, ttl: 60_000 });
  // Of too many callers the one whose window is the oldest is forgotten.
  count("two");
  count("three");
  expect([count("three").current, count("one").current]).toEqual([2, 1]);
});

it("frees the name of a deleted variable after its time, also when it is set back", () => {
  const now = Date.UTC(2026, 0, 1);
  const insert = {
    inserts: [{ name: "A", value: "", is_secret: false }],
    updates: [],
    deletes: [],
  };
  const insertAt = (deleted_at: number) => () =>
    checkAgainst(new Map([["A", { is_secret: 0 as const, deleted_at }]]), insert, {
      now,
      recentMs: 60_000,
    });
  expect(insertAt(now - 59_000)).toThrow(/a moment ago/u);
  expect(insertAt(now + 1_000)).toThrow(/a moment ago/u);
  expect(insertAt(now - 60_000)).not.toThrow();
  expect(insertAt(now + 5 * hourMs)).not.toThrow();
});
