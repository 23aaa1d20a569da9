import fc from "fast-check";
import { sampleRow } from "../history/test-support/open-history.ts";
import { newId } from "../new-id.ts";
import { describeStores, type TestStores } from "../test-support/describe-stores.ts";
import { insertVersion } from "../tools/test-support/insert-version.ts";
import { openRouteWorld, type PlatformRouteWorld } from "./test-support/open-route-world.ts";

const count = 8;
const names = Array.from({ length: count }, (_, each) => `tool_${each}`);
const teams = ["search", "sales", "ops"];
const scope = fc.oneof(
  fc.constantFrom(...names).map((name) => `tool:${name}`),
  fc.constantFrom(
    "tag:team:search",
    "tag:team:sales",
    "tag:team:*",
    "tag:team",
    "tag:beta:",
    "tag:x:y",
  ),
  fc.constantFrom("set:even", "set:first", "set:none"),
);
const permission = fc.constantFrom(
  "Tool:InvokeTool",
  "Tool:GetTool",
  "Conversation:GetInteractionInsights",
);
const grant = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(permission, scope).map((words) => words.join("@")) },
  { weight: 1, arbitrary: permission },
);
const grants = fc.array(grant, { maxLength: 4 });

/** Which tools a grant covers, said in another way than the code under test. */
function covers(text: string, tool: number): boolean {
  const [, kind, rest = ""] = /@(tool|tag|set):(.*)$/u.exec(text) ?? [];
  if (kind === undefined) return true;
  if (kind === "tool") return names[tool] === rest;
  if (kind === "set") return rest === "even" ? tool % 2 === 0 : rest === "first" && tool < 2;
  if (rest.startsWith("beta")) return tool === 3;
  if (rest === "team" || rest === "team:*") return true;
  return rest === `team:${teams[tool % 3]}`;
}

describeStores("permissions on some tools", (stores: TestStores) => {
  let world: PlatformRouteWorld;
  let ids: string[];
  let invocations: string[];
  beforeAll(async () => {
    world = await openRouteWorld(stores);
    ids = [];
    for (const [index, name] of names.entries()) {
      const tags = { team: teams[index % 3], ...(index === 3 && { beta: null }) };
      const made = await ask("POST", "tool/", { body: { name, description: "Does it.", tags } });
      ids.push(made.body.id);
      const place = { organization: world.organization, toolId: made.body.id, version: "1.0.0" };
      // It misses a variable, so that nothing runs: 400 is the answer to a caller who may invoke it.
      await insertVersion(world.parts.store, place, { required_envvars: '["NEVER_SET"]' });
    }
    const [even, first] = [names.filter((_, each) => each % 2 === 0), names.slice(0, 2)];
    for (const [name, tools] of Object.entries({ even, first, none: [] })) {
      const body = { name, tools: tools.map((tool_id) => ({ tool_id })) };
      expect((await ask("POST", "tool/set/", { body })).status).toBe(201);
    }
    const rows = ids.map((tool_id) => sampleRow({ org_id: world.organization, tool_id }));
    for (const row of rows) await world.history.begin(row).end(row);
    invocations = rows.map(({ id }) => id);
  });
  afterAll(() => world?.close());

  const ask = async (
    method: "GET" | "POST" | "PUT" | "DELETE",
    path: string,
    { key, body }: { readonly key?: string; readonly body?: object } = {},
  ) => {
    const reply = await world.server.inject({
      method,
      url: `/v1/${world.organization}/${path}`,
      headers: { authorization: `Bearer ${key ?? world.own.api_key}` },
      ...(body !== undefined && { payload: body }),
    });
    return { status: reply.statusCode, body: reply.body === "" ? undefined : reply.json() };
  };
  const makeKey = async (role: readonly string[], own?: readonly string[]): Promise<string> => {
    const role_name = `role ${newId()}`;
    const made = await ask("POST", "organization/role/", {
      body: { name: role_name, permissions: role },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const key = { name: null, duration: "P1D", role_name, permissions: own ?? null };
    return (await ask("POST", "organization/api_key/", { body: key })).body.api_key;
  };
  const names24 = (body: { tools: readonly { name: string }[] }): string[] =>
    body.tools.map(({ name }) => name).sort();

  it("list exactly what invoking, versions and history accept, for random roles and keys", async () => {
    const cases = fc.sample(fc.tuple(grants, fc.option(grants, { freq: 3, nil: undefined })), {
      ...{ numRuns: 20, seed: 11 },
    });
    let listed = 0;
    for (const [role, own] of cases) {
      const key = await makeKey(role, own);
      const may = (wanted: string, tool: number): boolean =>
        [role, ...(own === undefined ? [] : [own])].every((texts) =>
          texts.some((text) => text.split("@")[0] === wanted && covers(text, tool)),
        );
      const isLimited = own !== undefined || role.some((text) => text.includes("@"));
      const list = names24((await ask("GET", "tool/?limit=20", { key })).body);
      const visible = names.filter(
        (_, tool) => !isLimited || may("Tool:InvokeTool", tool) || may("Tool:GetTool", tool),
      );
      expect(list, JSON.stringify([role, own])).toEqual(visible);
      const accepted: string[] = [];
      for (const [tool, id] of ids.entries()) {
        const inputs = [{ input_parameters: {}, invocation_mode: "regular" }];
        const path = `tool/${id}/version/latest/invoke`;
        const { status } = await ask("POST", path, { key, body: { inputs } });
        expect([400, 403, 404]).toContain(status);
        if (status === 400) accepted.push(names[tool] as string);
        const versions = await ask("GET", `tool/${id}/version`, { key });
        expect(versions.status).toBe(visible.includes(names[tool] as string) ? 200 : 404);
      }
      expect(accepted).toEqual(names.filter((_, tool) => may("Tool:InvokeTool", tool)));
      if (role.concat(own ?? []).every((text) => text.startsWith("Tool:InvokeTool")) && isLimited) {
        expect(list).toEqual(accepted);
      }
      listed += list.length;
    }
    expect(listed).toBeGreaterThan(10);
  }, 60_000);

  it("limit history, one invocation and its output to those tools", async () => {
    const reading = [
      "Conversation:GetInteractionInsights",
      "Simulation:GetSimulationUnitTestSetRun",
    ];
    const key = await makeKey([
      ...reading.map((each) => `${each}@set:first`),
      "Tool:InvokeTool@tool:tool_5",
    ]);
    const own = [ids[0], ids[1]];
    type Found = { readonly tool_invocations: readonly { readonly tool_id: string }[] };
    const toolsOf = ({ body }: { readonly body: Found }): string[] =>
      body.tool_invocations.map(({ tool_id }) => tool_id).sort();
    expect(toolsOf(await ask("GET", "tool/invocation", { key }))).toEqual(own);
    expect(toolsOf(await ask("GET", `tool/invocation?tool_id=${ids[1]}`, { key }))).toEqual([
      ids[1],
    ]);
    expect(toolsOf(await ask("GET", `tool/invocation?tool_id=${ids[5]}`, { key }))).toEqual([]);
    expect(toolsOf(await ask("GET", "tool/invocation/search?query=well", { key }))).toEqual(own);
    for (const [tool, id] of invocations.entries()) {
      const expected = tool < 2 ? 200 : 404;
      expect((await ask("GET", `tool/invocation/${id}`, { key })).status).toBe(expected);
      expect((await ask("GET", `tool/invocation/${id}/logs`, { key })).status).toBe(expected);
    }
    const alone = await makeKey(["Tool:InvokeTool@set:first"]);
    expect((await ask("GET", "tool/invocation", { key: alone })).status).toBe(403);
    expect(toolsOf(await ask("GET", "tool/invocation/search?query=well", { key: alone }))).toEqual(
      [],
    );
    const sets = (await ask("GET", "tool/set/", { key: alone })).body.tool_sets;
    expect(
      sets.map((set: { name: string; tools: object[] }) => [set.name, set.tools.length]),
    ).toEqual([
      ["even", 1],
      ["first", 2],
    ]);
    expect((await ask("GET", "tool/set/none", { key: alone })).status).toBe(404);
  });

  it("limit retries, the inbox and the search in logs to those tools", async () => {
    const reading = [
      "Conversation:GetInteractionInsights",
      "Simulation:GetSimulationUnitTestSetRun",
    ];
    const needed = [...reading, "Tool:InvokeTool", "Inbox:GetItem", "Inbox:AnswerItem"];
    const key = await makeKey(needed.map((each) => `${each}@set:first`));
    const body = { invocation_ids: invocations };
    const { retries } = (await ask("POST", "tool/invocation/retry", { key, body })).body;
    const found = retries.filter(({ detail }: { detail: string }) => /NEVER_SET/u.test(detail));
    expect(found.map((each: { invocation_id: string }) => each.invocation_id).sort()).toEqual(
      invocations.slice(0, 2).sort(),
    );
    expect(retries).toHaveLength(count);

    const items = [...ids.slice(0, 3), null].map((tool_id, position) => ({
      ...({ id: newId(), org_id: world.organization, kind: "question", state: "waiting" } as const),
      ...({ source_type: "invocation", source_id: newId(), position, tool_id } as const),
      ...{ tool_name: "x", tool_version: null, arguments: "{}", question: "?", schema: null },
      ...{ detail: "{}", answerers: null, user_id: "u", created_at: 1, deadline_at: 2 ** 50 },
      ...{ answered_at: null, answered_by: null, answered_key_id: null, answer: "" },
    }));
    await world.parts.store.db.insertInto("inbox_items").values(items).execute();
    const own = items.slice(0, 2).map(({ id }) => id);
    const listed = (await ask("GET", "inbox", { key })).body.items;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(own);
    const reader = await makeKey(["Inbox:GetItem@set:first"]);
    for (const { id } of items) {
      const expected = own.includes(id) ? 200 : 404;
      expect((await ask("GET", `inbox/${id}`, { key })).status).toBe(expected);
      const answer = { answer: true };
      expect((await ask("POST", `inbox/${id}`, { key: reader, body: answer })).status).toBe(403);
      expect((await ask("POST", `inbox/${id}`, { key, body: answer })).status).toBe(expected);
    }

    const stream = { text: "spoken quietly", omittedCharacters: 0 };
    const printed = JSON.stringify({ stdout: stream, stderr: { ...stream, text: "" } });
    const rows = [ids[1], ids[2]].map((tool_id = "") =>
      sampleRow({ org_id: world.organization, tool_id, printed }),
    );
    for (const row of rows) await world.history.begin(row).end(row);
    const search = async (of?: string): Promise<number> => {
      const path = "tool/invocation/search?query=quietly&with_logs=true";
      const { tool_invocations } = (await ask("GET", path, of === undefined ? {} : { key: of }))
        .body;
      return tool_invocations.length;
    };
    expect(await search()).toBe(2);
    expect(await search(key)).toBe(1);
    // A caller without limits who may not read what tools print does not find it either.
    const invoker = await makeKey(["Tool:InvokeTool"]);
    expect(await search(invoker)).toBe(0);
    const only = "tool/invocation/search?query=quietly&query_against=logs";
    expect((await ask("GET", only, { key: invoker })).status).toBe(403);
  });

  it("can't be widened by tags or sets, nor granted, by somebody who has less", async () => {
    await makeKey(["Tool:InvokeTool@set:first", "Tool:DeleteTool@tag:team:ops"]);
    const key = await makeKey([
      ...["Tool:ModifyTool", "Tool:ModifyToolSet", "Organization:CreateRole"],
      ...["Tool:InvokeTool@tool:tool_0", "Organization:CreateAPIKey"],
    ]);
    const content = (...tools: readonly string[]) => ({
      tools: tools.map((tool_id) => ({ tool_id })),
    });
    const widened = await ask("PUT", "tool/set/first", {
      key,
      body: content("tool_0", "tool_1", "tool_4"),
    });
    expect(widened).toMatchObject({ status: 403 });
    expect(widened.body.detail).toContain("Tool:InvokeTool@set:first");
    expect(
      (await ask("PUT", "tool/set/first", { key, body: content("tool_0", "tool_1") })).status,
    ).toBe(200);
    const tagged = await ask("POST", `tool/${ids[1]}`, { key, body: { tags: { team: "ops" } } });
    expect(tagged).toMatchObject({ status: 403 });
    const same = { tags: { team: teams[1], other: null } };
    expect((await ask("POST", `tool/${ids[1]}`, { key, body: same })).status).toBe(204);
    for (const granted of ["Tool:InvokeTool", "Tool:InvokeTool@tool:tool_0"]) {
      const body = { name: newId(), permissions: [granted] };
      expect((await ask("POST", "organization/role/", { key, body })).status).toBe(403);
    }
    expect((await ask("DELETE", "tool/set/first")).body.detail).toContain("in use by the role");
  });

  it("refuse what can't be limited or does not exist, and show in whoami what a key has", async () => {
    for (const text of [
      ...[
        "Tool:CreateTool@tool:tool_0",
        "Tool:InvokeTool@tool:nothing",
        "Tool:InvokeTool@set:nothing",
      ],
      ...["Tool:InvokeTool@", "Tool:InvokeTool@team:search", "Tool:InvokeTool@tool:\0", "Tool:Fly"],
    ]) {
      const body = { name: newId(), permissions: [text] };
      expect((await ask("POST", "organization/role/", { body })).status, text).toBe(400);
    }
    const key = await makeKey(["Tool:InvokeTool", "Tool:GetTool"], ["Tool:InvokeTool@set:even"]);
    const reply = await world.server.inject({
      method: "GET",
      url: "/v1/whoami",
      headers: { authorization: `Bearer ${key}` },
    });
    expect(reply.json().permissions).toEqual(["Tool:InvokeTool@set:even"]);
  });

  it("keep a set's names apart, and its versions to those that can be asked for", async () => {
    const twice = { name: "twice", tools: [{ tool_id: "tool_0" }, { tool_id: ids[0] }] };
    expect((await ask("POST", "tool/set/", { body: twice })).status).toBe(400);
    const [one, two] = [{ tool_id: "tool_0" }, { tool_id: ids[0], name: "again", version: "<2" }];
    const made = await ask("POST", "tool/set/", { body: { ...twice, tools: [one, two] } });
    expect(made.body).toMatchObject({
      name: "twice",
      tools: [
        { tool_id: ids[0], tool_name: "tool_0", version: "latest", name: null },
        { tool_id: ids[0], name: "again", version: "<2", instructions: "" },
      ],
    });
    const wrong = { name: "wrong", tools: [{ tool_id: ids[0], version: "newest" }] };
    expect((await ask("POST", "tool/set/", { body: wrong })).status).toBe(422);
    expect((await ask("POST", "tool/set/", { body: twice })).status).toBe(400);
    expect((await ask("DELETE", "tool/set/twice")).status).toBe(204);
    expect((await ask("GET", "tool/set/twice")).status).toBe(404);
  });
});
