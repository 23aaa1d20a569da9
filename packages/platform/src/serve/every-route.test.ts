import type { LightMyRequestResponse } from "fastify";
import { describeEveryRoute } from "../api/test-support/describe-every-route.ts";
import { sampleRow } from "../history/test-support/open-history.ts";
import { requireItem } from "../inbox/answer-item.ts";
import { createInboxLinks } from "../inbox/links.ts";
import { newId } from "../new-id.ts";
import { describeStores, type TestStores } from "../test-support/describe-stores.ts";
import { insertVersion } from "../tools/test-support/insert-version.ts";
import { openRouteWorld, type PlatformRouteWorld } from "./test-support/open-route-world.ts";

describeStores("the platform's routes", (stores) => {
  describeEveryRoute("every route", () => openRouteWorld(stores));
  describe("another organization's ids", () => describeForeignIds(stores));
});

interface Asked {
  readonly operationId: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const noVariables = { inserts: [], updates: [], deletes: [] };
const anyInput = { input_parameters: {}, invocation_mode: "regular" };

/** What names somebody's thing in its path, with all else as it should be. */
const byPath: readonly Asked[] = [
  { operationId: "modify-user-variables", body: { upserts: [], deletes: [] } },
  { operationId: "delete-api-key" },
  { operationId: "rotate-api-key", body: {} },
  { operationId: "delete-role" },
  { operationId: "replace-role", body: { permissions: [] } },
  { operationId: "end-console-session" },
  { operationId: "modify-tool", body: { description: "Taken over." } },
  { operationId: "deprecate-tool" },
  { operationId: "modify-tool-envvars", body: noVariables },
  { operationId: "get-tool-versions" },
  { operationId: "deprecate-tool-version" },
  { operationId: "get-tool-latest" },
  { operationId: "get-tool-retention" },
  { operationId: "set-tool-retention", body: { days: 1 } },
  { operationId: "clear-tool-retention" },
  { operationId: "promote-tool-version", body: { version: "1.0.0" } },
  { operationId: "roll-back-tool-latest" },
  { operationId: "restore-tool" },
  { operationId: "restore-tool-version" },
  { operationId: "start-tool-canary", body: { version: "1.0.0", percent: 10 } },
  { operationId: "stop-tool-canary" },
  {
    operationId: "shadow-tool-version",
    body: { candidate: "1.0.0", since: "2020-01-01T00:00:00Z" },
  },
  { operationId: "publish-tool-version", body: { project_path: "a", bump_type: "minor" } },
  { operationId: "get-tool-operations" },
  { operationId: "watch-tool-operation" },
  { operationId: "invoke-tool-version", body: { inputs: [anyInput] } },
  { operationId: "get-tool-invocation" },
  { operationId: "get-tool-invocation-logs" },
  { operationId: "get-tool-set" },
  { operationId: "replace-tool-set", body: { tools: [] } },
  { operationId: "delete-tool-set" },
  { operationId: "get-async-invocation" },
  { operationId: "watch-async-invocation" },
  { operationId: "cancel-async-invocation" },
  { operationId: "create-tool-schedule", body: { cron: "@daily" } },
  { operationId: "get-tool-schedule" },
  { operationId: "pause-tool-schedule" },
  { operationId: "resume-tool-schedule" },
  { operationId: "run-tool-schedule" },
  { operationId: "delete-tool-schedule" },
  { operationId: "get-inbox-item" },
  { operationId: "answer-inbox-item", body: { answer: true } },
  { operationId: "create-inbox-link", body: {} },
  { operationId: "show-inbox-link" },
  { operationId: "answer-inbox-link" },
  { operationId: "get-webhook" },
  { operationId: "modify-webhook", body: { enabled: false } },
  { operationId: "delete-webhook" },
  { operationId: "rotate-webhook-secret", body: {} },
  { operationId: "test-webhook" },
  { operationId: "get-webhook-deliveries" },
  { operationId: "replay-webhook-deliveries", body: {} },
];

/** What names it elsewhere. */
const elsewhere: readonly Asked[] = [
  { operationId: "get-tools", query: { id: "TOOL" } },
  { operationId: "get-tool-invocations", query: { tool_id: "TOOL" } },
  { operationId: "get-tool-invocations", query: { tool_id: "TOOL", version: ">=1" } },
  { operationId: "get-tool-invocations", query: { conversation_id: "CONVERSATION" } },
  { operationId: "get-tool-invocations", query: { simulation_unit_test_set_run_id: "RUN" } },
  { operationId: "get-running-tool-invocations", query: { tool_id: "TOOL" } },
  {
    operationId: "retry-tool-invocations",
    body: { tool_id: ["TOOL"], since: "2020-01-01T00:00:00Z" },
  },
  { operationId: "search-tool-invocations", query: { query: "secretive" } },
  { operationId: "search-tool-invocations", query: { query: "secretive", tool_id: "TOOL" } },
  { operationId: "roll-back-tool-invocations", body: { conversation_id: "CONVERSATION" } },
  { operationId: "roll-back-tool-invocations", body: { simulation_unit_test_set_run_id: "RUN" } },
  {
    operationId: "create-api-key",
    body: { name: "theirs", duration: "P1D", user_id: "USER" },
  },
  { operationId: "get-audit", query: { target: "TOOL" } },
  { operationId: "get-console-sessions" },
  { operationId: "get-invocation-summaries", query: { tool_id: "TOOL" } },
  { operationId: "get-invocation-summaries", query: { query: "secretive" } },
  { operationId: "get-invocation-statistics", query: { tool_id: "TOOL", group_by: "version" } },
  { operationId: "get-inbox" },
  { operationId: "get-webhooks" },
  { operationId: "get-tool-schedules", query: { tool_id: "TOOL" } },
];

function describeForeignIds(stores: TestStores): void {
  let world: PlatformRouteWorld;
  let theirs: Readonly<Record<string, string>>;
  beforeAll(async () => {
    world = await openRouteWorld(stores);
    theirs = await fill(world);
  });
  afterAll(() => world?.close());

  const ask = (
    { operationId, query = {}, body }: Asked,
    things: Readonly<Record<string, string>>,
  ): Promise<LightMyRequestResponse> => {
    const route = world.routes.find((each) => each.operationId === operationId);
    if (route === undefined || !("method" in route)) throw new Error(`No route ${operationId}.`);
    const path = route.url.replaceAll(
      /:(\w+)/gu,
      (_match, name: string) => things[name] ?? (name === "organization" ? world.organization : ""),
    );
    const fillIn = (text: string): string =>
      text.replaceAll(/[A-Z]{3,}/gu, (name) => things[name] ?? name);
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, fillIn(value)]),
    );
    return world.server.inject({
      method: route.method,
      url: `${path}?${search}`,
      headers: {
        authorization: `Bearer ${world.tokens.administrator}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { payload: fillIn(JSON.stringify(body)) }),
    });
  };

  it("are tried on every route that takes one in its path", () => {
    const taking = world.routes
      .filter(({ url }) => /:(?!organization\b|version\b|versions\b)\w+/u.test(url))
      // Sessions belong to the machine of the server, not to an organization.
      .filter(({ url }) => !url.includes("/machine/"))
      .map(({ operationId }) => operationId);
    expect(byPath.map(({ operationId }) => operationId).sort()).toEqual(taking.sort());
  });

  it("answer 404 in a path, just as what does not exist", async () => {
    const faults: string[] = [];
    for (const asked of byPath) {
      const found = await ask(asked, theirs);
      const nothing = { ...theirs };
      for (const name of Object.keys(theirs)) nothing[name] = newId();
      // Versions are named alike everywhere.
      Object.assign(nothing, { version: theirs.version, versions: theirs.versions });
      const missing = await ask(asked, nothing);
      if (found.statusCode !== 404) faults.push(`${asked.operationId}: ${found.body}`);
      if (shape(found, theirs) !== shape(missing, nothing)) {
        faults.push(`${asked.operationId} tells them apart: ${found.body} ${missing.body}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it("find nothing elsewhere, just as what does not exist", async () => {
    const faults: string[] = [];
    for (const asked of elsewhere) {
      const found = await ask(asked, theirs);
      const nothing = Object.fromEntries(Object.keys(theirs).map((name) => [name, newId()]));
      const missing = await ask(asked, nothing);
      if (shape(found, theirs) !== shape(missing, nothing)) {
        faults.push(`${asked.operationId} tells them apart: ${found.body} ${missing.body}`);
      }
      const isKnown = Object.entries(theirs).some(
        ([name, id]) =>
          name === name.toUpperCase() && found.statusCode === 200 && found.body.includes(id),
      );
      if (isKnown) faults.push(`${asked.operationId} shows it: ${found.body}`);
    }
    expect(faults).toEqual([]);
  });

  it("stay what they were", async () => {
    const { store } = world.parts;
    const tool = await store.db
      .selectFrom("tools")
      .selectAll()
      .where("id", "=", theirs.TOOL as string)
      .executeTakeFirstOrThrow();
    expect(tool).toMatchObject({ description: "Theirs.", deprecated: 0 });
    const invocation = await store.db
      .selectFrom("invocations")
      .selectAll()
      .where("id", "=", theirs.invocation_id as string)
      .executeTakeFirstOrThrow();
    expect(invocation).toMatchObject({ conversation_id: theirs.CONVERSATION });
    const keys = await store.db
      .selectFrom("api_keys")
      .select("key_id")
      .where("org_id", "=", world.other.organization)
      .execute();
    expect(keys).toEqual([{ key_id: world.other.api_key_id }]);
    const waiting = await store.db.selectFrom("async_invocations").select("state").execute();
    expect(waiting).toEqual([{ state: "waiting" }]);
    const items = await store.db.selectFrom("inbox_items").select("state").execute();
    expect(items).toEqual([{ state: "waiting" }]);
    const webhooks = await store.db.selectFrom("webhooks").select("enabled").execute();
    expect(webhooks).toEqual([{ enabled: 1 }]);
    const schedules = await store.db.selectFrom("schedules").select("state").execute();
    expect(schedules).toEqual([{ state: "active" }]);
  });
}

/** What an answer says but for the ids that were asked for. */
function shape(
  { statusCode, body }: LightMyRequestResponse,
  things: Readonly<Record<string, string>>,
): string {
  let text = body;
  for (const id of Object.values(things)) {
    if (id.length > 10) text = text.replaceAll(id, "ID");
  }
  return `${statusCode} ${text}`;
}

/** Gives the other organization one of everything, and says what it is called. */
async function fill({
  parts,
  history,
  other,
}: PlatformRouteWorld): Promise<Record<string, string>> {
  const { store } = parts;
  const [TOOL, CONVERSATION, RUN] = [newId(), newId(), newId()];
  const { organization, user_id, api_key_id } = other;
  await store.db
    .insertInto("tools")
    .values({
      ...{ id: TOOL, org_id: organization, name: "theirs", description: "Theirs.", deprecated: 0 },
      ...{ creator_user_id: user_id, updated_by_user_id: user_id, created_at: 1, updated_at: 1 },
    })
    .execute();
  await insertVersion(store, { organization, toolId: TOOL, version: "1.0.0" });
  await store.db
    .insertInto("roles")
    .values({
      id: newId(),
      org_id: organization,
      name: "TheirRoleOfTheirs",
      permissions: "[]",
      created_at: 1,
    })
    .execute();
  await store.db
    .insertInto("operations")
    .values({
      ...{ id: newId(), org_id: organization, tool_id: TOOL, kind: "publish", state: "active" },
      ...{ user_id, owner: "x", log: "", error: null, version: "1.0.0" },
      ...{ started_at: 1, ended_at: 2 },
    })
    .execute();
  const shared = { org_id: organization, tool_id: TOOL, output: "secretive" };
  const rows = [
    sampleRow({ ...shared, source_type: "regular-conversation", conversation_id: CONVERSATION }),
    sampleRow({ ...shared, source_type: "simulation-conversation", simulation_run_id: RUN }),
  ];
  for (const row of rows) await history.begin(row).end(row);
  await store.db
    .insertInto("tool_sets")
    .values({
      ...{ id: newId(), org_id: organization, name: "theirs-of-theirs", instructions: "" },
      ...{ creator_user_id: user_id, updated_by_user_id: user_id, created_at: 1, updated_at: 1 },
    })
    .execute();
  const principal = { organization, userId: user_id, keyId: api_key_id };
  await parts.audit.recordAlone(principal, { action: "tool.create", target: TOOL });
  const item_id = newId();
  const [id] = [rows[0]?.id ?? ""];
  await store.db
    .insertInto("async_invocations")
    .values({
      ...{ id, org_id: organization, tool_id: TOOL, version_id: newId(), user_id, key_id: "k" },
      ...{ state: "waiting", owner: null, attempt: 1, is_cancelled: 0, request: "" },
      ...{ draft: JSON.stringify(rows[0]), printed: null, active_ms: 0, wake_at: 2 ** 50 },
      ...{ created_at: 1, updated_at: 1, expires_at: 2 ** 50 },
    })
    .execute();
  await store.db
    .insertInto("inbox_items")
    .values({
      ...{ id: item_id, org_id: organization, kind: "question", state: "waiting" },
      ...{ source_type: "invocation", source_id: id, position: 0, tool_id: TOOL },
      ...{ tool_name: "theirs", tool_version: "1.0.0", arguments: "{}", question: "secretive?" },
      ...{ schema: null, detail: "{}", answerers: null, user_id, created_at: 1 },
      ...{ deadline_at: 2 ** 50, answered_at: null, answered_by: null, answered_key_id: null },
      answer: "",
    })
    .execute();
  const session_id = newId();
  await store.db
    .insertInto("console_sessions")
    .values({
      ...{ id: session_id, org_id: organization, key_id: api_key_id, kind: "session" },
      ...{ hash: "theirs", client: "theirs", created_at: 1, expires_at: 2 ** 50 },
    })
    .execute();
  const schedule_id = newId();
  await store.db
    .insertInto("schedules")
    .values({
      ...{ id: schedule_id, org_id: organization, name: "theirs", tool_id: TOOL, input: "" },
      ...{ version: "latest", cron: "@daily", time_zone: "UTC", shown_input: "{}", user_id },
      ...{ missed: "run", overlap: "skip", state: "active", pause_reason: null, key_id: "k" },
      ...{ created_at: 1, updated_at: 1, next_at: 2 ** 50 },
    })
    .execute();
  const WEBHOOK = newId();
  await store.db
    .insertInto("webhooks")
    .values({
      ...{ id: WEBHOOK, org_id: organization, url: "https://theirs.example/", description: "" },
      ...{
        events: "[]",
        links: 1,
        synchronous: 0,
        sessions: 0,
        enabled: 1,
        failures: 0,
        secret: "",
      },
      ...{ previous_secret: "", user_id, created_at: 1, updated_at: 1 },
    })
    .execute();
  const maker = { organization, userId: user_id, keyId: api_key_id, role: "" };
  const item = await requireItem(parts, maker, item_id);
  const link = await createInboxLinks(parts, { findUrl: () => "" }).create(maker, item);
  store.touch();
  return {
    ...{
      item_id,
      schedule_id,
      session_id,
      WEBHOOK,
      webhook_id: WEBHOOK,
      token: link.url.split("/").at(-1) ?? "",
    },
    ...{ TOOL, CONVERSATION, RUN, USER: user_id },
    set_name: "theirs-of-theirs",
    ...{ tool_id: TOOL, requested_user_id: user_id, api_key_id, role_name: "TheirRoleOfTheirs" },
    ...{ invocation_id: rows[0]?.id ?? "", version: "1.0.0", versions: "1.0.0" },
  };
}
