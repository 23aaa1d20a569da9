import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPlatform } from "@haft/platform";
import { createPlatformClient, type PlatformClient } from "@haft/platform/client";
import { expect, it, onTestFinished } from "vitest";
import { makeWorkspace } from "../support/make-workspace.ts";
import { createSlackReceiver } from "./slack.ts";

const signingSecret = "8f742231b10e8888abcd99yyyzzz85a5";
const botToken = "xoxb-test";

interface Button {
  readonly action_id: string;
  readonly value: string;
}

interface Posted {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly text: string;
    readonly blocks: readonly {
      readonly type: string;
      readonly elements: readonly Button[];
    }[];
  };
}

const code = `export const runTool = async ({ ask }) =>
  String(await ask({ question: "Refund order 17?", schema: { type: "boolean" } }));`;
const manifest = {
  ...{ name: "refund", description: "Refunds an order.", runtime: "node" },
  inputSchema: { type: "object" },
};

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a server that takes the place of Slack. */
async function openSlack(): Promise<{
  readonly url: string;
  /** Resolves to the last request to a path, when there were so many. */
  untilPosted(path: string, count: number): Promise<Posted>;
}> {
  const posted: Posted[] = [];
  let onPosted = Promise.withResolvers<void>();
  const url = await listen(
    createServer(async (request, response) => {
      const body = JSON.parse((await request.toArray()).join("")) as Posted["body"];
      posted.push({ path: request.url ?? "", authorization: request.headers.authorization, body });
      onPosted.resolve();
      onPosted = Promise.withResolvers();
      response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    }),
  );
  return {
    url,
    untilPosted: async (path, count) => {
      for (;;) {
        const next = onPosted.promise;
        const found = posted.filter((each) => each.path === path);
        if (found.length >= count) return found.at(-1) as Posted;
        await next;
      }
    },
  };
}

/** Starts a platform with a tool that asks. */
async function openHaft(receiverHost: string): Promise<{
  readonly client: PlatformClient;
  readonly apiKey: string;
  readonly toolId: string;
}> {
  const { directory: root } = makeWorkspace({
    "data/settings.json": JSON.stringify({
      runner: { blankWorkers: 1 },
      webhooks: { allowedHosts: [receiverHost] },
    }),
    "project/refund/tool.json": JSON.stringify(manifest),
    "project/refund/src/tool.js": code,
    "project/refund/test/tool.test.js": 'import "node:test";',
  });
  const platform = await startPlatform({
    ...{ directory: join(root, "data"), role: "all", hostname: "127.0.0.1", port: 0 },
    ...{ version: "1.0.0", environment: {} },
  });
  onTestFinished(() => platform.close());
  const { credentials } = platform.bootstrap ?? {};
  if (credentials === undefined) throw new Error("The platform has no credentials.");
  const { organization, user_id, api_key: apiKey } = credentials;
  const git = (...args: readonly string[]) =>
    promisify(execFile)(
      "git",
      ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args],
      { cwd: join(root, "project") },
    );
  const named = platform.url.replace("//", `//${organization}_${user_id}:${apiKey}@`);
  await git("init");
  await git("add", ".");
  await git("commit", "-m", "Add a tool");
  const remote = `${named}/v1/${organization}/tool/git`;
  await git("push", remote, `HEAD:refs/heads/releases/${organization}`);
  const client = createPlatformClient({ url: platform.url, apiKey });
  const tool = await client.tools.create({ name: "refund", description: "Refunds.", tags: {} });
  await client.versions.publish(tool.id, { project_path: "refund", bump_type: "minor" });
  return { client, apiKey, toolId: tool.id };
}

/** Signs as Slack does. */
function sign(body: string, { secret = signingSecret, age = 0 } = {}): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000) - age);
  const hash = createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex");
  return { "x-slack-request-timestamp": timestamp, "x-slack-signature": `v0=${hash}` };
}

it("asks in Slack and answers with what a person clicks, and refuses forged and replayed requests", async () => {
  const slack = await openSlack();
  // The webhook needs the receiver's address, and the receiver the webhook's secret.
  let handler: Server | undefined;
  const receiverUrl = await listen(
    createServer((request, response) => handler?.emit("request", request, response)),
  );
  const { client, apiKey, toolId } = await openHaft(new URL(receiverUrl).host);
  const { secret } = await client.webhooks.create({
    ...{ url: `${receiverUrl}/haft`, events: ["inbox.waiting"] },
  });
  handler = createSlackReceiver({
    haft: { url: client.url, apiKey },
    webhookSecret: secret,
    slack: {
      ...{ signingSecret, botToken, channel: "C1", approvers: ["U024BE7LH"] },
      ...{ apiUrl: slack.url, responseOrigin: slack.url },
    },
  });
  const input = { input_parameters: {}, invocation_mode: "regular" } as const;
  const variables = { nonsensitive_user_variables: {}, sensitive_user_variables: {} };
  const target = { toolId, version: "latest" };
  await client.invocations.start(target, [{ ...input, ...variables }]);
  const { untilPosted } = slack;
  const click = ({ action_id, value }: Button, user = "U024BE7LH"): string =>
    new URLSearchParams({
      payload: JSON.stringify({
        type: "block_actions",
        user: { id: user },
        response_url: `${slack.url}/response`,
        actions: [{ action_id, value }],
      }),
    }).toString();
  const send = async (
    path: string,
    body: string,
    headers: Record<string, string>,
  ): Promise<number> =>
    (await fetch(`${receiverUrl}${path}`, { method: "POST", body, headers })).status;

  const asked = await untilPosted("/chat.postMessage", 1);
  expect(asked.authorization).toBe(`Bearer ${botToken}`);
  expect(JSON.stringify(asked.body)).toContain("Refund order 17?");
  const buttons = asked.body.blocks.find(({ type }) => type === "actions")?.elements ?? [];
  const [yes, no] = buttons as readonly [Button, Button];
  // The value names the item. It does not say what is answered.
  expect(yes.value).toBe(no.value);
  const [itemId = ""] = yes.value.split(".");
  const readItem = () => client.inbox.get(itemId);

  const body = click(yes);
  const path = "/slack/interactions";
  expect(await send(path, body, {})).toBe(401);
  expect(await send(path, body, sign(body, { secret: "another" }))).toBe(401);
  expect(await send(path, body, sign(body, { age: 301 }))).toBe(401);
  expect(await send(path, body.replace("U024BE7LH", "U0"), sign(body))).toBe(401);
  const elsewhere = click({ ...yes, value: `${"0".repeat(24)}.${yes.value.split(".")[1]}` });
  expect(await send(path, elsewhere, sign(elsewhere))).toBe(400);
  expect(await send("/haft", JSON.stringify({ type: "inbox.waiting" }), {})).toBe(401);
  const stranger = click(yes, "U999");
  expect(await send(path, stranger, sign(stranger))).toBe(200);
  expect((await untilPosted("/response", 1)).body.text).toContain("may not decide");
  expect(await readItem()).toMatchObject({ state: "waiting" });

  const signed = sign(body);
  expect(await send(path, body, signed)).toBe(200);
  expect((await untilPosted("/response", 2)).body).toMatchObject({
    replace_original: true,
    text: "Refund order 17?\n\nYes, said <@U024BE7LH>.",
  });
  expect(await readItem()).toMatchObject({
    ...{ state: "answered", answer: true, answered_via: "api", on_behalf_of: "slack:U024BE7LH" },
  });
  expect(await send(path, body, signed)).toBe(401);
  // A second click says who was first.
  const late = click(no);
  expect(await send(path, late, sign(late))).toBe(200);
  expect((await untilPosted("/response", 3)).body.text).toContain("slack:U024BE7LH");
});
