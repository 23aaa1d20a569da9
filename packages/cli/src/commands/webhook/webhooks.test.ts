import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import { reply, type WireHandler } from "../../test-support/wire/wire-platform.ts";

const id = "1".repeat(24);
const secret = "whsec_c2VjcmV0";
const clearScreen = "\u001b[2J";

const webhook = {
  ...{ id, url: "https://example.com/haft", events: ["inbox.waiting"], description: clearScreen },
  ...{ tools: null, tags: ["team:blue"], links: true, synchronous: false, enabled: false },
  ...{ disabled_reason: "Gone.", failures: 3, previous_secret_until: null, user_id: "u" },
  ...{ created_at: "2026-01-02T03:04:05.000Z", updated_at: "2026-01-02T03:04:05.000Z" },
};
const delivery = {
  ...{ id: `msg_${id}`, type: "webhook.test", state: "failed", event: {}, due_at: null },
  ...{ created_at: webhook.created_at, attempt_count: 1 },
  attempts: [
    {
      ...{ number: 1, started_at: webhook.created_at, duration_ms: 12, status: 500 },
      ...{ response: clearScreen, error: null },
    },
  ],
};

const answering: WireHandler = ({ method, path }, response) => {
  if (path === "/webhooks") {
    return method === "GET"
      ? reply(response, 200, { webhooks: [webhook] })
      : reply(response, 201, { ...webhook, secret });
  }
  if (path === `/webhooks/${id}`) return reply(response, 200, webhook);
  if (path === `/webhooks/${id}/rotate`) return reply(response, 200, { ...webhook, secret });
  if (path === `/webhooks/${id}/test`) return reply(response, 200, delivery);
  if (path === `/webhooks/${id}/replay`) return reply(response, 200, { replayed: 2 });
  if (path !== `/webhooks/${id}/deliveries`) return false;
  return reply(response, 200, {
    deliveries: [delivery],
    has_more: false,
    continuation_token: null,
  });
};

describe("haft webhook", () => {
  it("adds, lists, shows, changes and tests, with nothing that a terminal would obey", async () => {
    const { environment, requests } = await serveWire(answering);
    const { haft } = createTestWorkspace();
    const run = (...args: readonly string[]) => haft(["webhook", ...args], { environment });
    const added = await run(
      ...["add", webhook.url, "--event", "inbox.waiting", "--tag", "team:blue", "--links"],
    );
    expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`\n${secret}\n`) });
    expect(requests.at(-1)?.body).toEqual({
      ...{ url: webhook.url, events: ["inbox.waiting"], tags: ["team:blue"] },
      ...{ links: true, enabled: true },
    });
    const listed = await run();
    expect(listed.stdout).toMatch(/^ID +STATE +URL +EVENTS\n1{24} +disabled by the platform/u);
    const shown = await run("show", id);
    expect(shown.stdout).toContain("disabled by the platform: Gone.");
    const changed = await run("update", id, "--enable", "--all-tools", "--rotate-secret");
    expect(changed.stdout).toContain(secret);
    expect(requests.at(-2)).toMatchObject({
      ...{ method: "PATCH", body: { tools: null, tags: null, enabled: true } },
    });
    const tested = await run("test", id);
    expect(tested).toMatchObject({ exitCode: 1, stdout: "failed: 500 in 12 ms\n" });
    const deliveries = await run("deliveries", id, "--state", "failed");
    expect(deliveries.stdout).toContain(`msg_${id}  failed  webhook.test`);
    expect((await run("replay", id, delivery.id)).stdout).toContain("2 deliveries");
    expect(requests.at(-1)?.body).toEqual({ delivery_ids: [delivery.id] });
    for (const { stdout } of [added, listed, shown, deliveries]) {
      expect(stdout).not.toContain("\u001b");
    }
    expect(await run("add", webhook.url, "--event", "inbox.wating")).toMatchObject({
      ...{ exitCode: 2, stderr: expect.stringContaining("inbox.waiting") },
    });
    expect(await run("update", id)).toMatchObject({ exitCode: 2 });
  });
});
