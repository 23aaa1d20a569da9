import type { Principal } from "../auth/principal.ts";
import { createTestParts, type TestParts } from "../auth/test-support/create-test-parts.ts";
import { beat } from "../history/heartbeat.ts";
import { createOrganization } from "../organizations/create-organization.ts";
import { requireLocalPrincipal } from "../organizations/local-principal.ts";
import { defaultSettings } from "../platform-settings.ts";
import type { Store } from "../store/store.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { createDeliverer, type Deliverer } from "./create-deliverer.ts";
import { listDeliveries, replayDeliveries, tidyDeliveries } from "./deliveries.ts";
import { emitEvent, type NewEvent } from "./emit-event.ts";
import { retrySeconds } from "./settle-attempt.ts";
import { openReceiver, type Receiver, signReceived } from "./test-support/open-receiver.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";
import type { IssuedWebhook, WebhookDelivery } from "./wire-webhook.ts";

interface World {
  readonly parts: TestParts;
  readonly principal: Principal;
  readonly webhooks: Webhooks;
  readonly webhook: IssuedWebhook;
  readonly deliverer: Deliverer;
  emit(event?: Partial<NewEvent>): Promise<void>;
  /** Sends all that is due. */
  pass(): Promise<void>;
  list(): Promise<readonly WebhookDelivery[]>;
}

describeStores("deliveries", (stores) => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await openReceiver();
  });
  afterEach(() => receiver.close());

  const open = async (store: Store): Promise<World> => {
    const settings = {
      ...{ ...defaultSettings, historyDays: 30 },
      webhooks: { ...defaultSettings.webhooks, allowedHosts: [receiver.host], maxFailures: 1 },
    };
    const parts = createTestParts(store, { settings });
    const { organization } = await createOrganization(parts, "own");
    const principal = await requireLocalPrincipal(parts, organization);
    const webhooks = createWebhooks(parts);
    const webhook = await webhooks.create(principal, {
      ...{ url: receiver.url, events: ["tool.deprecated"], description: "", tools: null },
      ...{ tags: null, links: false, synchronous: false, sessions: false, enabled: true },
    });
    const deliverer = createDeliverer({ ...parts, links: { addTo: async (body) => body } });
    return {
      ...{ parts, principal, webhooks, webhook, deliverer },
      emit: (event = {}) =>
        store.db.transaction().execute((db) =>
          emitEvent(db, {
            ...{ organization, type: "tool.deprecated", at: parts.now(), toolId: null },
            ...{ data: { tool_id: "t" }, ...event },
          }),
        ),
      pass: async () => {
        deliverer.poke();
        await deliverer.idle();
      },
      list: async () => (await listDeliveries(parts, webhook.id, { limit: 100 })).deliveries,
    };
  };

  it("send what was committed, once, signed, and nothing that was rolled back", async () => {
    const store = await stores.open();
    const { parts, webhook, emit, list, ...world } = await open(store);
    await expect(
      store.db.transaction().execute(async (db) => {
        await emitEvent(db, {
          ...{ organization: world.principal.organization, type: "tool.deprecated" },
          ...{ at: parts.now(), toolId: null, data: {} },
        });
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    await emit();
    await emit({ type: "inbox.waiting" });
    // Two processes that look at the same time.
    const beside = { ...parts, processId: "other" };
    for (const each of [parts, beside]) await beat(each, store.db);
    const other = createDeliverer({ ...beside, links: { addTo: async (body) => body } });
    other.poke();
    await Promise.all([world.pass(), other.idle()]);
    await Promise.all([world.deliverer.stop(0), other.stop(0)]);
    expect(receiver.received).toHaveLength(1);
    const [received] = receiver.received;
    if (received === undefined) throw new Error("Nothing was received.");
    expect(received.signatures).toEqual([signReceived(webhook.secret, received)]);
    expect(received.timestamp).toBe(String(parts.now() / 1_000));
    expect(received.event).toMatchObject({ type: "tool.deprecated", data: { tool_id: "t" } });
    expect(await list()).toMatchObject([
      {
        ...{ id: received.id, state: "succeeded", attempt_count: 1, due_at: null },
        attempts: [{ number: 1, status: 200, response: "It is 200.\ufffd", error: null }],
      },
    ]);
  });

  it("are sent again with the same ID, later and later, then given up and replayed", async () => {
    const world = await open(await stores.open());
    const { parts, webhooks, principal, webhook, emit, pass, list } = world;
    // A redirect is not followed, so it is a failure like any other.
    receiver.answer(302);
    await emit();
    for (const [index, seconds] of retrySeconds.entries()) {
      await pass();
      expect(receiver.received).toHaveLength(index + 1);
      const [delivery] = await list();
      const delay = Date.parse(delivery?.due_at ?? "") - parts.now();
      expect(delay).toBeGreaterThanOrEqual(seconds * 800);
      expect(delay).toBeLessThanOrEqual(seconds * 1_200);
      parts.advance(delay - 1);
      await pass();
      expect(receiver.received).toHaveLength(index + 1);
      parts.advance(1);
    }
    await pass();
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(await list()).toMatchObject([{ state: "failed", attempt_count: 9 }]);
    expect(await webhooks.list(principal.organization)).toMatchObject([
      { enabled: false, failures: 1, disabled_reason: expect.stringContaining("given up") },
    ]);
    const disabled = parts.store.db.selectFrom("audit").select("target");
    expect(await disabled.where("action", "=", "webhook.disable").execute()).toEqual([
      { target: webhook.id },
    ]);
    // While it is disabled, nothing is stored for it.
    await emit();
    receiver.answer(204);
    await webhooks.update(principal, webhook.id, { enabled: true });
    const row = await webhooks.require(principal.organization, webhook.id);
    expect(await replayDeliveries(parts, principal, { webhook: row, which: {} })).toBe(1);
    await pass();
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    expect(await list()).toMatchObject([{ state: "succeeded", attempt_count: 10 }]);
    parts.advance(31 * 86_400_000);
    await tidyDeliveries(parts);
    expect(await list()).toEqual([]);
    await world.deliverer.stop(0);
  });

  it("end when the receiver is gone, and continue what a dead process was sending", async () => {
    const world = await open(await stores.open());
    const { parts, webhooks, principal, webhook, emit, pass, list } = world;
    await emit();
    const claimed = { state: "sending", owner: "dead", attempts: 1, tries: 1 } as const;
    await parts.store.db.updateTable("webhook_deliveries").set(claimed).execute();
    await pass();
    expect(receiver.received).toEqual([]);
    parts.advance(6_000);
    await pass();
    expect(await list()).toMatchObject([
      {
        ...{ id: receiver.received[0]?.id, state: "succeeded" },
        attempts: [
          { number: 2, status: 200 },
          { number: 1, status: null, error: expect.stringContaining("stopped") },
        ],
      },
    ]);
    receiver.answer(410);
    await emit();
    await pass();
    expect((await list())[0]).toMatchObject({ state: "failed", attempt_count: 1 });
    expect(await webhooks.list(principal.organization)).toMatchObject([
      { id: webhook.id, enabled: false, disabled_reason: expect.stringContaining("410") },
    ]);
    await world.deliverer.stop(0);
  });

  it("refuse a name that leads to a private address when they are sent", async () => {
    const world = await open(await stores.open());
    const { parts, webhook, emit, pass, list } = world;
    // As if the name had been public when the webhook was created.
    const url = receiver.url.replace("127.0.0.1", "localhost");
    await parts.store.db.updateTable("webhooks").set({ url }).execute();
    await emit();
    await pass();
    expect(receiver.received).toEqual([]);
    expect(await list()).toMatchObject([
      { state: "pending", attempts: [{ error: expect.stringContaining("no public address") }] },
    ]);
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u);
    await world.deliverer.stop(0);
  });
});
