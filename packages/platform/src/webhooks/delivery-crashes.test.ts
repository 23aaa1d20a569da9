import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { expectStatus } from "../serve/test-support/create-outsider.ts";
import { startServer } from "../serve/test-support/start-server.ts";
import { newDatabase } from "../test-support/postgres.ts";
import { openReceiver } from "./test-support/open-receiver.ts";
import type { IssuedWebhook, WebhookDeliveryPage } from "./wire-webhook.ts";

describe.each([
  { store: "SQLite", locate: async () => undefined },
  ...(isMissing("pg_ctlcluster") ? [] : [{ store: "PostgreSQL", locate: newDatabase }]),
])("a delivery on $store, when the server is killed", { timeout: 60_000 }, ({ locate }) => {
  it("is sent by the next process with the same ID", async () => {
    const directory = mkdtempSync(join(tmpdir(), "haft-delivery-crashes-"));
    const receiver = await openReceiver();
    const settings = { runner: { blankWorkers: 0 }, webhooks: { allowedHosts: [receiver.host] } };
    writeFileSync(join(directory, "settings.json"), JSON.stringify(settings));
    const database = await locate();
    let server = await startServer({ directory, database, graceMs: 300 });
    const outsider = server.enter();
    onTestFinished(async () => {
      outsider.close();
      await server.kill();
      receiver.close();
      rmSync(directory, { recursive: true, force: true });
    });
    const body = { url: receiver.url, events: ["tool.deprecated"] };
    const created = await outsider.call<IssuedWebhook>("POST", "webhooks", { body });
    const webhook = expectStatus(created, 201);
    const tools = [await outsider.createTool("one"), await outsider.createTool("two")];
    // The first is never answered. The second is written right before the end.
    receiver.answer(undefined);
    expectStatus(await outsider.call("DELETE", `tool/${tools[0]}`), 204);
    const held = await receiver.until("tool.deprecated");
    expectStatus(await outsider.call("DELETE", `tool/${tools[1]}`), 204);
    await server.kill();
    const before = receiver.received.splice(0);
    receiver.answer(200);
    server = await startServer({ directory, database, graceMs: 300 });
    const about = (tool: string | undefined) =>
      receiver.until("tool.deprecated", ({ event }) => event.data.tool_id === tool);
    const again = await Promise.all(tools.map(about));
    expect(again[0]?.id).toBe(held.id);
    const { call } = outsider.at(server.url);
    const path = `webhooks/${webhook.id}/deliveries`;
    const look = async () => (await call<WebhookDeliveryPage>("GET", path)).body.deliveries;
    await expect
      .poll(async () => (await look()).map(({ state }) => state), { timeout: 20_000 })
      .toEqual(["succeeded", "succeeded"]);
    const ids = [...before, ...receiver.received].map(({ id }) => id);
    expect(new Set(ids)).toEqual(new Set((await look()).map(({ id }) => id)));
    expect(receiver.received).toHaveLength(2);
  });
});
