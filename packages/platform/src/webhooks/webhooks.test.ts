import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { eventTypes } from "../client/event-types.ts";
import type { InboxItem } from "../inbox/inbox-schemas.ts";
import { expectStatus } from "../serve/test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "../serve/test-support/open-platform.ts";
import { nodeProject } from "../serve/test-support/tool-projects.ts";
import { newDatabase } from "../test-support/postgres.ts";
import { openReceiver, type Receiver, signReceived } from "./test-support/open-receiver.ts";
import type {
  IssuedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
} from "./wire-webhook.ts";

const code = `
export const runTool = async ({ toolInput, ask, config }) => {
  if (toolInput.question === undefined) return "secret output";
  return JSON.stringify(await ask(toolInput.question));
};
`;

interface SentLinks {
  readonly form: string;
  readonly answers: readonly { readonly answer: unknown; readonly url: string }[];
}

describe.each([
  { store: "SQLite", database: async () => undefined },
  ...(isMissing("pg_ctlcluster") ? [] : [{ store: "PostgreSQL", database: newDatabase }]),
])("webhooks on $store", ({ database }) => {
  let receiver: Receiver;
  let platform: TestPlatform;
  let webhook: IssuedWebhook;
  let toolId: string;
  beforeAll(async () => {
    receiver = await openReceiver();
    const settings = {
      runner: { blankWorkers: 1 },
      webhooks: { allowedHosts: [receiver.host] },
    };
    platform = await openPlatform({ database: await database(), settings });
    webhook = await create({ events: eventTypes, links: true });
    await platform.push(nodeProject("asker", {}, code));
    toolId = await platform.createTool("asker");
    await platform.publish(toolId, "asker");
  }, 60_000);
  afterAll(async () => {
    await platform?.close();
    receiver?.close();
  });

  const create = async (body: object): Promise<IssuedWebhook> =>
    expectStatus(
      await platform.call<IssuedWebhook>("POST", "webhooks", {
        body: { url: receiver.url, events: [], ...body },
      }),
      201,
    );
  const start = async (input: object, body: object = {}): Promise<string> => {
    const inputs = [{ input_parameters: input, invocation_mode: "regular" }];
    const answer = await platform.call<{ invocations: readonly { id: string }[] }>(
      "POST",
      `tool/${toolId}/version/latest/invoke`,
      { body: { inputs, ...body }, headers: { prefer: "respond-async" } },
    );
    return expectStatus(answer, 202).invocations[0]?.id ?? "";
  };
  /** Starts an invocation that asks. Returns its ID and the links of the event. */
  const ask = async (question: object): Promise<{ id: string; item: string; links: SentLinks }> => {
    const id = await start({ question });
    const { event } = await receiver.until("inbox.waiting", ({ event: { data } }) =>
      JSON.stringify(data).includes(id),
    );
    const { inbox_id, links } = event.data as { inbox_id: string; links: SentLinks };
    return { id, item: inbox_id, links };
  };
  const readItem = async (id: string): Promise<InboxItem> =>
    expectStatus(await platform.call<InboxItem>("GET", `inbox/${id}`), 200);
  const send = (url: string, form: Record<string, string>): Promise<Response> =>
    fetch(url, { method: "POST", body: new URLSearchParams(form) });

  it("tell of versions, questions, answers and ends, signed and without payloads", async () => {
    const published = await receiver.until("version.published");
    expect(published.event.data).toMatchObject({ tool_id: toolId, version: "1.0.0" });
    const { id, item } = await ask({ question: "Send hunter2?", schema: { type: "boolean" } });
    const body = { answer: true, on_behalf_of: "slack:U1" };
    expectStatus(await platform.call("POST", `inbox/${item}`, { body }), 200);
    const answered = await receiver.until("inbox.answered");
    expect(answered.event.data).toMatchObject({ inbox_id: item, on_behalf_of: "slack:U1" });
    const ended = await receiver.until("invocation.succeeded");
    expect(ended.event.data).toMatchObject({ invocation_id: id, tool_id: toolId });
    for (const each of receiver.received) {
      expect(each.signatures).toEqual([signReceived(webhook.secret, each)]);
      expect(each.body).not.toMatch(/hunter2|true"/u);
    }
    expect(await readItem(item)).toMatchObject({ answered_via: "api", on_behalf_of: "slack:U1" });
  });

  it("send links that ask with GET and answer once with POST", async () => {
    const { id, item, links } = await ask({
      question: "Refund <b>17</b>\u202e?",
      schema: { type: "boolean" },
    });
    const shown = await fetch(links.form);
    expect(shown.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/u,
    );
    expect(shown.headers.get("referrer-policy")).toBe("no-referrer");
    const page = await shown.text();
    expect(page).toContain("Refund &lt;b&gt;17&lt;/b&gt;\\u{202e}?");
    expect(page).not.toContain("<script");
    const [yes, no] = links.answers;
    expect([yes?.answer, no?.answer]).toEqual([true, false]);
    expect(await (await fetch(no?.url ?? "")).text()).toContain("No</button>");
    expect(await readItem(item)).toMatchObject({ state: "waiting" });
    // A link for one answer gives no other.
    expect((await send(no?.url ?? "", { choice: "1" })).status).toBe(400);
    const [content = "", signature = ""] = (no?.url.split("/").at(-1) ?? "").split(".");
    const claims = JSON.parse(Buffer.from(content, "base64url").toString()) as unknown[];
    const forged = Buffer.from(JSON.stringify([...claims.slice(0, 4), true])).toString("base64url");
    const base = links.form.slice(0, links.form.lastIndexOf("/"));
    expect((await send(`${base}/${forged}.${signature}`, { choice: "0" })).status).toBe(404);
    expect((await send(no?.url ?? "", { choice: "0" })).status).toBe(200);
    expect(await readItem(item)).toMatchObject({
      ...{ state: "answered", answer: false, answered_via: "link", answered_by: platform.userId },
    });
    for (const again of [await fetch(links.form), await send(links.form, { choice: "0" })]) {
      expect(again.status).toBe(410);
      expect(await again.text()).toMatch(/answered this through a link at \d{4}-/u);
    }
    const lines = await platform.call("GET", `organization/audit?target=${item}`);
    expect(lines.text).toContain('"via":"link"');
    await receiver.until("invocation.succeeded", ({ body }) => body.includes(id));
  });

  it("ask for the fields of a simple schema, and say what does not match", async () => {
    const properties = {
      amount: { type: "integer", maximum: 100 },
      reason: { type: "string", enum: ["late", "broken"] },
      note: { type: "string" },
      notify: { type: "boolean" },
    };
    const required = ["amount", "reason", "notify"];
    const { item, links } = await ask({
      question: "How much?",
      schema: { type: "object", properties, required },
    });
    expect(links.answers).toEqual([]);
    expect((await (await fetch(links.form)).text()).match(/<label/gu)).toHaveLength(4);
    const wrong = await send(links.form, { field0: "500", field1: "1", field2: "", field3: "0" });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain("amount");
    const sent = await send(links.form, { field0: "17", field1: "1", field2: "", field3: "0" });
    expect(sent.status).toBe(200);
    expect(await readItem(item)).toMatchObject({
      answer: { amount: 17, reason: "broken", notify: true },
    });
  });

  it("make a link by hand that ends with the key that made it", async () => {
    const { item } = await ask({ question: "Sure?", schema: { enum: ["go", "stop"] } });
    const key = expectStatus(
      await platform.call<{ api_key: string; api_key_id: string }>(
        "POST",
        "organization/api_key/",
        {
          body: { name: "short", duration: "P1D" },
        },
      ),
      201,
    );
    const made = async (body: object) =>
      platform.call<{ url: string }>("POST", `inbox/${item}/link`, { body, token: key.api_key });
    expect((await made({ answer: "wait" })).status).toBe(400);
    const { url } = expectStatus(await made({ answer: "go" }), 201);
    expect(await (await fetch(url)).text()).toContain("go</button>");
    await platform.call("DELETE", `organization/api_key/${key.api_key_id}`);
    expect((await fetch(url)).status).toBe(404);
  });

  it("are told of the end of an invocation that names them, and of tools they filter for", async () => {
    const named = await create({ description: "Named only" });
    const other = await create({ events: ["invocation.succeeded"], tags: ["team:none"] });
    const list = async ({ id }: Webhook): Promise<readonly WebhookDelivery[]> =>
      expectStatus(
        await platform.call<WebhookDeliveryPage>("GET", `webhooks/${id}/deliveries`),
        200,
      ).deliveries;
    const id = await start({}, { webhook: named.id });
    await receiver.until(
      "invocation.succeeded",
      (each) =>
        each.body.includes(id) && each.signatures.includes(signReceived(named.secret, each)),
    );
    expect(await list(named)).toHaveLength(1);
    expect(await list(other)).toEqual([]);
    const inputs = [{ input_parameters: {}, invocation_mode: "regular" }];
    const path = `tool/${toolId}/version/latest/invoke`;
    const wrong = await platform.call("POST", path, { body: { inputs, webhook: named.id } });
    expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining("respond-async") });
    const unknown = await platform.call("POST", path, {
      body: { inputs, webhook: "0".repeat(24) },
      headers: { prefer: "respond-async" },
    });
    expect(unknown).toMatchObject({ status: 400, text: expect.stringContaining("no webhook") });
    // A synchronous invocation is told only to those who ask for it.
    const synchronous = await create({ events: ["invocation.succeeded"], synchronous: true });
    expectStatus(await platform.invoke({ id: toolId }, [{ input_parameters: {} }]), 200);
    const { event } = await receiver.until("invocation.succeeded", (each) =>
      each.signatures.includes(signReceived(synchronous.secret, each)),
    );
    expect(event.data).toMatchObject({ synchronous: true, tool_id: toolId });
    for (const { id: each } of [named, other, synchronous]) {
      expectStatus(await platform.call("DELETE", `webhooks/${each}`), 204);
    }
  });

  it("tell of moved versions, and of questions that can no longer be answered", async () => {
    await platform.publish(toolId, "asker", "patch");
    const body = { version: "1.0.0" };
    expectStatus(await platform.call("POST", `tool/${toolId}/latest`, { body }), 200);
    const promoted = await receiver.until("version.promoted");
    expect(promoted.event.data).toMatchObject({ version: "1.0.0", previous_version: "1.0.1" });
    expectStatus(await platform.call("POST", `tool/${toolId}/latest/rollback`), 200);
    expect((await receiver.until("version.rolled_back")).event.data).toMatchObject({
      ...{ tool_id: toolId, version: "1.0.1", previous_version: "1.0.0" },
    });
    await start({
      question: { question: "Quick?", schema: { type: "boolean" }, deadline: "50ms" },
    });
    await receiver.until("inbox.expired");
    await receiver.until("invocation.failed");
    const { id, item } = await ask({ question: "Still?", schema: { type: "boolean" } });
    expectStatus(await platform.call("POST", `tool/invocation/${id}/cancel`), 200);
    const cancelled = await receiver.until("inbox.cancelled");
    expect(cancelled.event.data).toMatchObject({ inbox_id: item, state: "cancelled" });
    const ended = await receiver.until("invocation.cancelled");
    expect(ended.event.data).toMatchObject({ invocation_id: id });
  });

  it("sign with both secrets after a rotation, and are tested and replayed", async () => {
    const own = await create({});
    const rotated = expectStatus(
      await platform.call<IssuedWebhook>("POST", `webhooks/${own.id}/rotate`, { body: {} }),
      200,
    );
    const path = `webhooks/${own.id}`;
    receiver.answer(503);
    const tested = expectStatus(await platform.call<WebhookDelivery>("POST", `${path}/test`), 200);
    receiver.answer(200);
    expect(tested).toMatchObject({ state: "failed", attempts: [{ status: 503 }] });
    const [first] = receiver.received.filter(({ id }) => id === tested.id);
    if (first === undefined) throw new Error("The test was not received.");
    expect(first.signatures).toEqual(
      [rotated.secret, own.secret].map((secret) => signReceived(secret, first)),
    );
    const replayed = await platform.call("POST", `${path}/replay`, { body: {} });
    expect(expectStatus(replayed, 200)).toEqual({ replayed: 1 });
    await receiver.until("webhook.test", (each) => each.id === first.id && each !== first);
    const shown = await platform.call<Webhook>("GET", path);
    expect(shown.text).not.toContain("whsec_");
    expect(shown.body).toMatchObject({ enabled: true, previous_secret_until: expect.any(String) });
  });

  it("refuse addresses that are not public", async () => {
    for (const url of [
      "https://127.0.0.1/",
      "https://localhost/",
      "https://[::1]/",
      "https://10.0.0.5/",
      "https://169.254.169.254/latest/meta-data",
      "https://[::ffff:169.254.169.254]/",
      "http://example.com/",
      "ftp://example.com/",
      "https://user:word@example.com/",
    ]) {
      const answer = await platform.call("POST", "webhooks", { body: { url, events: [] } });
      expect({ url, status: answer.status }).toEqual({ url, status: 422 });
      const changed = await platform.call("PATCH", `webhooks/${webhook.id}`, { body: { url } });
      expect(changed.status).toBe(422);
    }
  });

  it("need permission to see and change, and the permission to answer for links", async () => {
    const permissions = ["Webhook:GetWebhook", "Webhook:ModifyWebhook"];
    const role = { name: "Hooks", permissions };
    await platform.call("POST", "organization/role/", { body: role });
    const { api_key: token } = expectStatus(
      await platform.call<{ api_key: string }>("POST", "organization/api_key/", {
        body: { name: "hooks", duration: "P1D", role_name: "Hooks" },
      }),
      201,
    );
    const body = { url: receiver.url, events: [], links: true };
    const refused = await platform.call("POST", "webhooks", { body, token });
    expect(refused).toMatchObject({ status: 403, text: expect.stringContaining("AnswerItem") });
    // The address decides who gets the links.
    const moved = { body: { url: `${receiver.url}/mine` }, token };
    expect((await platform.call("PATCH", `webhooks/${webhook.id}`, moved)).status).toBe(403);
  });
});
