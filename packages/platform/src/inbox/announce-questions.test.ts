import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSessionInbox, type SessionInbox, type StoredQuestion } from "@haft/computer/internal";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { expectStatus } from "../serve/test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "../serve/test-support/open-platform.ts";
import { newDatabase } from "../test-support/postgres.ts";
import { openReceiver, type Receiver } from "../webhooks/test-support/open-receiver.ts";
import type { IssuedWebhook, WebhookDeliveryPage } from "../webhooks/wire-webhook.ts";

interface Told {
  readonly inbox_id: string;
  readonly links?: {
    readonly form: string;
    readonly answers: readonly { readonly answer: unknown; readonly url: string }[];
  };
}

const types = ["inbox.waiting", "inbox.answered", "inbox.expired", "inbox.cancelled"];

describe.each([
  { store: "SQLite", database: async () => undefined },
  ...(isMissing("pg_ctlcluster") ? [] : [{ store: "PostgreSQL", database: newDatabase }]),
])("webhooks for calls of sessions on $store", ({ store, database }) => {
  let home: string;
  let inbox: SessionInbox;
  let receiver: Receiver;
  let platform: TestPlatform;
  let openAgain: () => Promise<TestPlatform>;
  let webhook: IssuedWebhook;
  let ahead = 0;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "haft-announce-"));
    const sessionState = join(home, "state");
    inbox = openSessionInbox(sessionState);
    receiver = await openReceiver();
    const url = await database();
    openAgain = () =>
      openPlatform({
        ...{ directory: home, database: url, sessionState, now: () => Date.now() + ahead },
        settings: { runner: { blankWorkers: 0 }, webhooks: { allowedHosts: [receiver.host] } },
      });
    platform = await openAgain();
    webhook = await create(platform, { links: true, sessions: true });
  }, 60_000);
  afterAll(async () => {
    await platform?.close();
    receiver?.close();
    rmSync(home, { recursive: true, force: true });
  });

  const create = async (by: TestPlatform, body: object): Promise<IssuedWebhook> =>
    expectStatus(
      await by.call<IssuedWebhook>("POST", "webhooks", {
        body: { url: receiver.url, events: types, ...body },
      }),
      201,
    );
  const ask = (waitMs = 600_000, more: Partial<StoredQuestion> = {}): string =>
    inbox.add({
      ...{ deadlineAt: new Date(Date.now() + waitMs).toISOString(), workspace: "/work" },
      ...{ session: "s1", asker: "haft call", key: "k", tool: "write", name: "write" },
      ...{ arguments: { path: "a.txt", content: "hunter2" }, reason: "it writes" },
      ...{ rules: ["write a.txt allow"], effects: undefined, isNested: false, call: undefined },
      ...{ dialect: "native", shown: "s", files: [], ...more },
    }).id;
  const told = async (id: string, type = "inbox.waiting"): Promise<Told> =>
    (await receiver.until(type, ({ body }) => body.includes(id))).event.data as unknown as Told;
  /** Counts the events about a question, of all types. */
  const count = async (id: string): Promise<readonly string[]> => {
    const path = `webhooks/${webhook.id}/deliveries?limit=100`;
    const { deliveries } = expectStatus(await platform.call<WebhookDeliveryPage>("GET", path), 200);
    return deliveries
      .filter(({ event }) => JSON.stringify(event).includes(id))
      .map(({ type }) => type)
      .sort();
  };
  const press = (url: string, choice: string): Promise<Response> =>
    // After a restart the port is another.
    fetch(new URL(new URL(url).pathname, platform.platform.url), {
      ...{ method: "POST", body: new URLSearchParams({ choice }) },
    });

  it("are told of each once, without its arguments, and send links that answer once", async () => {
    const other = await create(platform, { links: true });
    const id = ask();
    const { links } = await told(id);
    expect(await receiver.until("inbox.waiting")).toMatchObject({
      event: {
        data: {
          ...{ inbox_id: id, kind: "approval", tool_id: null, tool_name: "write" },
          ...{ source: { type: "session", id: "s1" } },
        },
      },
    });
    for (const { body } of receiver.received) expect(body).not.toMatch(/hunter2|a\.txt/u);
    expect(links?.answers.map(({ answer }) => answer)).toEqual(["once", "no"]);
    const page = await fetch(links?.form ?? "");
    expect(await page.text()).toContain("hunter2");
    expect(inbox.find(id)?.state).toBe("waiting");
    const [once, no] = links?.answers ?? [];
    const sent = await Promise.all([press(once?.url ?? "", "0"), press(no?.url ?? "", "0")]);
    // The second is refused where it is answered, or already where it is opened.
    const statuses = sent.map(({ status }) => (status === 410 ? 409 : status));
    expect(statuses.sort()).toEqual([200, 409]);
    const answer = sent[0]?.status === 200 ? "once" : "no";
    expect(inbox.find(id)?.decision).toMatchObject({ answer, via: "link", by: webhook.user_id });
    expect(await told(id, "inbox.answered")).toMatchObject({ answered_via: "link" });
    expect((await press(once?.url ?? "", "0")).status).toBe(410);
    expect(await count(id)).toEqual(["inbox.answered", "inbox.waiting"]);
    const path = `webhooks/${other.id}/deliveries`;
    const { deliveries } = expectStatus(await platform.call<WebhookDeliveryPage>("GET", path), 200);
    expect(deliveries).toEqual([]);
  });

  it("are told of questions, whose links offer the options", async () => {
    const questions = [{ question: "hunter2?", options: [{ label: "yes" }, { label: "never" }] }];
    const id = ask(600_000, { tool: "question", questions, arguments: { questions } });
    const { links } = await told(id);
    const { body } = await receiver.until("inbox.waiting", (each) => each.body.includes(id));
    expect(body).not.toContain("hunter2");
    expect(links?.answers.map(({ answer }) => answer)).toEqual(["yes", "never"]);
    expect(await (await fetch(links?.form ?? "")).text()).toContain("hunter2?");
    expect((await press(links?.form ?? "", "1")).status).toBe(200);
    expect(inbox.find(id)?.decision).toMatchObject({ answer: "answered", answers: [["never"]] });
    expect(await told(id, "inbox.answered")).toMatchObject({ kind: "question" });
  });

  it("are told after a restart of what still waits, and of ends that were missed", async () => {
    const [before, over] = [ask(), ask()];
    await told(before);
    await told(over);
    await platform.close();
    inbox.decide(over, { answer: "no", reason: undefined, by: "me", via: "haft inbox" });
    const [meanwhile, late] = [ask(), ask(50)];
    inbox.decide(late, { answer: "expired", reason: undefined, by: "haft", via: "deadline" });
    platform = await openAgain();
    const { links } = await told(meanwhile);
    expect(await told(over, "inbox.answered")).toMatchObject({ answered_via: "machine" });
    // Links of the process before are as good as those of this one.
    expect((await press((await told(before)).links?.form ?? "", "1")).status).toBe(200);
    expect((await press(links?.form ?? "", "1")).status).toBe(200);
    await told(before, "inbox.answered");
    await told(meanwhile, "inbox.answered");
    expect(await count(before)).toEqual(["inbox.answered", "inbox.waiting"]);
    expect(await count(meanwhile)).toEqual(["inbox.answered", "inbox.waiting"]);
    expect(await count(over)).toEqual(["inbox.answered", "inbox.waiting"]);
    expect(await count(late)).toEqual([]);
  });

  it("are told that a deadline passed or that the call ended, even if its files are gone", async () => {
    const [brief, cancelled, gone] = [ask(), ask(), ask()];
    for (const id of [brief, cancelled, gone]) await told(id);
    inbox.decide(brief, { answer: "expired", reason: undefined, by: "haft", via: "deadline" });
    inbox.decide(cancelled, { answer: "cancelled", reason: undefined, by: "haft", via: "end" });
    expect(await told(cancelled, "inbox.cancelled")).toMatchObject({ state: "cancelled" });
    expect(await told(brief, "inbox.expired")).toMatchObject({ state: "expired" });
    rmSync(join(home, "state", "inbox", gone), { recursive: true });
    ahead = 700_000;
    expect(await told(gone, "inbox.expired")).toMatchObject({ state: "expired" });
    ahead = 0;
    expect(await count(gone)).toEqual(["inbox.expired", "inbox.waiting"]);
  });

  it.skipIf(store === "SQLite")("are told once by several processes", async () => {
    const beside = await openAgain();
    try {
      const ids = Array.from({ length: 5 }, () => ask());
      for (const id of ids) await told(id);
      for (const id of ids) {
        inbox.decide(id, { answer: "no", reason: undefined, by: "me", via: "haft inbox" });
        await told(id, "inbox.answered");
      }
      for (const id of ids) expect(await count(id)).toEqual(["inbox.answered", "inbox.waiting"]);
    } finally {
      await beside.close();
    }
  });

  it("take an administrator to have calls of sessions, and to be changed with them", async () => {
    const role = { name: `Hooks ${webhook.id}`, permissions: ["Webhook:ModifyWebhook"] };
    role.permissions.push("Webhook:GetWebhook", "Inbox:AnswerItem", "Inbox:GetItem");
    await platform.call("POST", "organization/role/", { body: role });
    const { api_key: token } = expectStatus(
      await platform.call<{ api_key: string }>("POST", "organization/api_key/", {
        body: { name: "hooks", duration: "P1D", role_name: role.name },
      }),
      201,
    );
    const body = { url: receiver.url, events: types, sessions: true };
    const refused = await platform.call("POST", "webhooks", { body, token });
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining("rights") });
    const moved = { body: { url: `${receiver.url}/mine` }, token };
    expect((await platform.call("PATCH", `webhooks/${webhook.id}`, moved)).status).toBe(403);
    const id = ask();
    expect((await platform.call("POST", `inbox/${id}/link`, { body: {}, token })).status).toBe(404);
    inbox.decide(id, { answer: "no", reason: undefined, by: "me", via: "haft inbox" });
  });

  it("stop with the webhook's consent, and links made by hand with their key", async () => {
    const id = ask();
    const { links } = await told(id);
    const order = { name: "short", duration: "P1D", role_name: "DefaultAdministratorRole" };
    const key = expectStatus(
      await platform.call<{ api_key: string; api_key_id: string }>(
        "POST",
        "organization/api_key/",
        { body: order },
      ),
      201,
    );
    const made = expectStatus(
      await platform.call<{ url: string }>("POST", `inbox/${id}/link`, {
        ...{ body: { answer: "no" }, token: key.api_key },
      }),
      201,
    );
    expect((await fetch(made.url)).status).toBe(200);
    await platform.call("DELETE", `organization/api_key/${key.api_key_id}`);
    expect((await fetch(made.url)).status).toBe(404);
    const change = { body: { sessions: false } };
    expectStatus(await platform.call("PATCH", `webhooks/${webhook.id}`, change), 200);
    expect((await press(links?.form ?? "", "0")).status).toBe(404);
    expect(inbox.find(id)?.state).toBe("waiting");
  });
});
