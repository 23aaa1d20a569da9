import type { InjectOptions } from "fastify";
import { afterEach, expect, it } from "vitest";
import { createApiServer } from "../api/create-api-server.ts";
import { permissions } from "../auth/permissions.ts";
import { createTestParts } from "../auth/test-support/create-test-parts.ts";
import { describeStores } from "../test-support/describe-stores.ts";
import { createOrganization } from "./create-organization.ts";
import { organizationRoutes } from "./organization-routes.ts";
import { openOrganizationServices } from "./organization-services.ts";

const day = 86_400_000;
const unknown = "f".repeat(24);

describeStores("organizationRoutes", (stores) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const open = async () => {
    const parts = createTestParts(await stores.open());
    const access = await createOrganization(parts, "one");
    const other = await createOrganization(parts, "two");
    const services = await openOrganizationServices(parts, "/nonexistent");
    const server = await createApiServer({
      routes: organizationRoutes(services),
      authenticator: services.authenticator,
      settings: parts.settings,
      version: "1",
      health: { ready: async () => ({ ok: true, checks: {} }) },
    });
    closers.push(() => server.close());
    const base = `/v1/${access.organization}`;
    /** Asks as the administrator unless another key is given. */
    const ask = async (
      method: "GET" | "POST" | "PUT" | "DELETE",
      path: string,
      { key = access.api_key, body, headers = {} }: Asking = {},
    ) => {
      const reply = await server.fastify.inject({
        method,
        url: path.startsWith("/v1") ? path : `${base}${path}`,
        headers: { authorization: `Bearer ${key}`, ...headers },
        ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions["payload"]> }),
      });
      return {
        status: reply.statusCode,
        body: reply.body === "" ? undefined : reply.json(),
        headers: reply.headers,
      };
    };
    const createKey = async (body: object, key?: string) =>
      ask("POST", "/organization/api_key/", {
        ...(key === undefined ? {} : { key }),
        body: { name: null, duration: "P30D", ...body },
      });
    const createRole = (name: string, allowed: readonly string[], key?: string) =>
      ask("POST", "/organization/role/", {
        ...(key === undefined ? {} : { key }),
        body: { name, permissions: allowed },
      });
    return { parts, services, access, other, ask, createKey, createRole };
  };

  it("makes, lists and deletes API keys as the wire has it", async () => {
    const { parts, access, ask, createKey } = await open();
    const { organization: org_id, user_id } = access;
    const made = await createKey({ name: "  ci ", duration: "P1DT1H" });
    const expires_at = new Date(parts.now() + day + 3_600_000).toISOString();
    const id = expect.stringMatching(/^[a-f0-9]{24}$/);
    expect(made).toMatchObject({
      status: 201,
      body: { api_key_id: id, api_key: expect.stringMatching(/^haft_[\w-]{43}$/), expires_at },
    });
    const keyId = made.body.api_key_id;
    const listed = await ask("GET", "/organization/api_key/");
    expect(listed.status).toBe(200);
    const now = new Date(parts.now()).toISOString();
    const instance = {
      _id: id,
      name: "ci",
      org_id,
      created_at: now,
      updated_at: now,
      key_id: keyId,
      expires_at,
      creator: { user_id, org_id },
      role_id: id,
      permissions: null,
    };
    expect(listed.body.api_keys).toHaveLength(2);
    expect(listed.body.api_keys[1]).toEqual(instance);
    expect((await ask("GET", "/organization/api_key/", { key: made.body.api_key })).status).toBe(
      200,
    );

    const deleted = await ask("DELETE", `/organization/api_key/${keyId}/`);
    expect(deleted).toMatchObject({ status: 200, body: { deleted_key_id: keyId } });
    expect((await ask("GET", "/organization/api_key/", { key: made.body.api_key })).status).toBe(
      401,
    );
    expect(await ask("DELETE", `/organization/api_key/${keyId}/`)).toMatchObject({
      status: 404,
      body: { detail: "There is no such API key." },
    });
  });

  it("refuses keys that make no sense, and says why", async () => {
    const { createKey, createRole } = await open();
    await createRole("invoker", ["Tool:InvokeTool"]);
    for (const [body, status] of [
      [{ duration: "30 days" }, 422],
      [{ duration: "3600" }, 422],
      [{ duration: "P" }, 422],
      [{ duration: "PT" }, 422],
      [{ duration: "-P1D" }, 422],
      [{ duration: 3600 }, 422],
      [{ duration: null }, 422],
      [{ duration: "PT0S" }, 400],
      [{ duration: "P3651D" }, 400],
      [{ duration: `P${"9".repeat(400)}D` }, 400],
      [{ name: "" }, 422],
      [{ name: "  " }, 422],
      [{ name: 1 }, 422],
      [{ name: undefined }, 422],
      [{ name: "x".repeat(101) }, 400],
      [{ name: "a\0b" }, 400],
      [{ user_id: "x" }, 422],
      [{ user_id: unknown }, 404],
    ] as const) {
      expect((await createKey(body)).status, JSON.stringify(body)).toBe(status);
    }
    for (const role_name of ["nobody", "invoker\0", ""]) {
      const refused = await createKey({ role_name });
      expect(refused.status).toBe(400);
      expect(refused.body.detail).toMatch(/Known are: DefaultAdministratorRole, invoker\.$/);
    }
    for (const duration of ["PT1S", "P3650D", "P10Y", "P2W", "P1M"]) {
      expect((await createKey({ duration })).status, duration).toBe(201);
    }
  });

  it("never gives more than the creator has", async () => {
    const { access, ask, createKey, createRole } = await open();
    const keeper = ["Organization:CreateAPIKey", "Organization:DeleteAPIKey"];
    await createRole("keeper", [...keeper, "Organization:CreateRole", "Tool:GetTool"]);
    await createRole("reader", ["Tool:GetTool"]);
    await createRole("invoker", ["Tool:InvokeTool"]);
    const { api_key: key, api_key_id } = (await createKey({ role_name: "keeper" })).body;

    expect((await createKey({ role_name: "reader" }, key)).status).toBe(201);
    expect((await createKey({ role_name: "keeper" }, key)).status).toBe(201);
    const refused = await createKey({ role_name: "invoker" }, key);
    expect(refused).toMatchObject({
      status: 403,
      body: {
        detail: "You can't grant permissions that your role keeper does not have: Tool:InvokeTool.",
      },
    });
    // The default is the administrator's role.
    expect((await createKey({}, key)).status).toBe(403);
    expect((await createRole("mine", ["Tool:GetTool"], key)).status).toBe(201);
    expect((await createRole("more", ["Tool:GetTool", "Tool:DeleteTool"], key)).status).toBe(403);

    const rotate = (id: string) => ask("POST", `/organization/api_key/${id}/rotate`, { key });
    expect((await rotate(access.api_key_id)).status).toBe(403);
    expect((await rotate(api_key_id)).status).toBe(201);
    // None of the refused left anything behind.
    const { body } = await ask("GET", "/organization/role/");
    expect(body.roles.map(({ name }: { name: string }) => name)).not.toContain("more");
    expect((await ask("GET", "/organization/api_key/")).body.api_keys).toHaveLength(4);
  });

  it("replaces what a role grants, for its keys at once, by those who have both", async () => {
    const { ask, createKey, createRole } = await open();
    const replace = (name: string, allowed: readonly string[], key?: string) =>
      ask("PUT", `/organization/role/${name}`, {
        ...(key === undefined ? {} : { key }),
        body: { permissions: allowed },
      });
    await createRole("keeper", ["Organization:CreateRole", "Tool:GetTool"]);
    await createRole("reader", ["Tool:GetTool"]);
    await createRole("invoker", ["Tool:InvokeTool"]);
    const keeper = (await createKey({ role_name: "keeper" })).body.api_key;
    const reader = (await createKey({ role_name: "reader" })).body.api_key;
    const listsRoles = async () =>
      (await ask("GET", "/organization/role/", { key: reader })).status;

    expect(await listsRoles()).toBe(403);
    expect(await replace("reader", ["Organization:GetRole", "Tool:GetTool"])).toMatchObject({
      status: 200,
      body: { name: "reader", permissions: ["Organization:GetRole", "Tool:GetTool"] },
    });
    expect(await listsRoles()).toBe(200);
    const refused = [
      await replace("keeper", ["Organization:CreateRole", "Tool:InvokeTool"], keeper),
      await replace("invoker", ["Tool:GetTool"], keeper),
      await replace("invoker", [], keeper),
      await replace("reader", [], reader),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await replace("keeper", ["Organization:CreateRole"], keeper)).status).toBe(200);
    expect((await replace("keeper", ["Tool:GetTool"], keeper)).status).toBe(403);
    expect((await replace("reader", ["Tool:Fly"])).status).toBe(400);
    expect((await replace("DefaultAdministratorRole", [])).status).toBe(409);
    expect(await replace("absent", [])).toMatchObject({
      status: 404,
      body: { detail: 'There is no role "absent".' },
    });
    const { body } = await ask("GET", "/organization/audit?action=role.replace");
    expect(body.entries.map(({ detail }: { detail: object }) => detail)).toEqual([
      expect.objectContaining({ before: ["Organization:CreateRole", "Tool:GetTool"] }),
      expect.objectContaining({ name: "reader", before: ["Tool:GetTool"] }),
    ]);
  });

  it("creates keys for other users only with the permission to create users", async () => {
    const { access, ask, createKey, createRole } = await open();
    const user = await ask("POST", "/user/", { body: { name: " Ada " } });
    expect(user).toMatchObject({ status: 201, body: { name: "Ada", org_id: access.organization } });
    const theirs = await createKey({ user_id: user.body.id });
    const { body: who } = await ask("GET", "/v1/whoami", { key: theirs.body.api_key });
    expect(who.user_id).toBe(user.body.id);
    const all = permissions.filter((permission) => permission !== "User:CreateUser");
    await createRole("almost", all);
    const almost = (await createKey({ role_name: "almost" })).body.api_key;
    const refused = await createKey({ role_name: "almost", user_id: user.body.id }, almost);
    expect(refused.status).toBe(403);
    const stolen = await ask("POST", `/organization/api_key/${theirs.body.api_key_id}/rotate`, {
      key: almost,
    });
    expect(stolen.status).toBe(403);
    const { body } = await ask("GET", "/user/");
    expect(body.users.map(({ name }: { name: string }) => name)).toEqual(["administrator", "Ada"]);
    expect((await ask("POST", "/user/", { body: { name: " " } })).status).toBe(400);
    // Clients of the classic API send these instead of a name.
    const given = { first_name: "Grace", last_name: "Hopper", email: "grace@example.com" };
    for (const [sent, name] of [
      [given, "Grace Hopper"],
      [{ email: given.email }, given.email],
      [{}, "user"],
    ] as const) {
      expect((await ask("POST", "/user/", { body: sent })).body).toMatchObject({ name });
    }
  });

  it("replaces a key by another, with or without a time for both", async () => {
    const { parts, ask, createKey } = await open();
    const rotate = async (id: string, body?: object) =>
      ask("POST", `/organization/api_key/${id}/rotate`, body === undefined ? {} : { body });
    const isGood = async (key: string) => (await ask("GET", "/v1/whoami", { key })).status === 200;
    const first = (await createKey({ name: "ci", duration: "P30D" })).body;
    parts.advance(day);

    const second = await rotate(first.api_key_id);
    expect(second.status).toBe(201);
    expect(second.body.expires_at).toBe(new Date(parts.now() + 30 * day).toISOString());
    expect([await isGood(first.api_key), await isGood(second.body.api_key)]).toEqual([false, true]);
    expect((await rotate(first.api_key_id)).status).toBe(404);

    const third = await rotate(second.body.api_key_id, { grace: "PT1H", duration: "P1D" });
    expect(third.body.expires_at).toBe(new Date(parts.now() + day).toISOString());
    expect([await isGood(second.body.api_key), await isGood(third.body.api_key)]).toEqual([
      true,
      true,
    ]);
    parts.advance(3_600_000);
    expect([await isGood(second.body.api_key), await isGood(third.body.api_key)]).toEqual([
      false,
      true,
    ]);
    expect((await rotate(second.body.api_key_id)).status).toBe(404);
    // No grace makes a key live longer than it would have.
    await rotate(third.body.api_key_id, { grace: "P10D" });
    parts.advance(day);
    expect(await isGood(third.body.api_key)).toBe(false);
    expect((await rotate(third.body.api_key_id, { grace: "soon" })).status).toBe(422);
    const last = (await createKey({})).body;
    const both = await Promise.all([rotate(last.api_key_id), rotate(last.api_key_id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 404]);
  });

  it("signs in and tells who one is", async () => {
    const { parts, access, other, ask } = await open();
    const { organization, user_id, api_key_id, api_key } = access;
    const headers = {
      authorization: "",
      "x-api-key": api_key,
      "x-api-key-id": api_key_id,
      "x-user-id": user_id,
    };
    const signIn = (changes: object, path = "/user/signin_with_api_key", left = "") => {
      const { [left]: _, ...rest } = { ...headers, ...changes } as Record<string, string>;
      return ask("POST", path, { headers: rest });
    };
    const signed = await signIn({});
    expect(signed).toMatchObject({
      status: 200,
      body: {
        id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expires_at: new Date(parts.now() + 3_600_000).toISOString(),
      },
    });
    const who = await ask("GET", "/v1/whoami", { key: signed.body.id_token });
    expect(who.body).toEqual({
      organization,
      organization_name: "one",
      user_id,
      api_key_id,
      role: "DefaultAdministratorRole",
      permissions,
    });
    expect(await ask("GET", "/v1/whoami", { key: "haft_x" })).toMatchObject({
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    });
    for (const missing of ["x-api-key", "x-api-key-id", "x-user-id"]) {
      expect((await signIn({}, undefined, missing)).status).toBe(422);
    }
    const strangers = await Promise.all([
      signIn({ "x-api-key": other.api_key }),
      signIn({ "x-api-key": "haft_x" }, `/v1/${other.organization}/user/signin_with_api_key`),
      signIn({ "x-api-key": "haft_x" }, `/v1/${unknown}/user/signin_with_api_key`),
    ]);
    expect(new Set(strangers.map(({ status, body }) => `${status} ${body.detail}`)).size).toBe(1);
    expect(strangers[0]?.status).toBe(401);
  });

  it("keeps roles: known permissions, one of a name, none deleted that is in use", async () => {
    const { ask, createKey, createRole } = await open();
    const made = await createRole("reader", ["Tool:InvokeTool", "Tool:GetTool", "Tool:GetTool"]);
    expect(made).toMatchObject({
      status: 201,
      body: { name: "reader", permissions: ["Tool:GetTool", "Tool:InvokeTool"] },
    });
    const known = await createRole("other", ["Tool:GetTool", "Tool:Fly"]);
    expect(known.status).toBe(400);
    expect(known.body.detail).toMatch(
      /^There is no permission "Tool:Fly"\. Known are: Organiz.*Tool:GetTool/,
    );
    for (const all of ["*", "Tool:*", "tool:gettool", ""]) {
      expect((await createRole("other", [all])).status).toBe(400);
    }
    expect((await createRole("reader", [])).status).toBe(409);
    expect((await createRole("DefaultAdministratorRole", [])).status).toBe(409);
    for (const name of ["", " ", "a/b", "x".repeat(101), "..", "\0"]) {
      expect([400, 422], name).toContain((await createRole(name, [])).status);
    }
    const remove = (name: string) => ask("DELETE", `/organization/role/${name}`);
    const { api_key_id } = (await createKey({ role_name: "reader" })).body;
    expect(await remove("reader")).toMatchObject({
      status: 409,
      body: {
        detail: `The role reader is in use by the API key ${api_key_id}. Delete its keys first.`,
      },
    });
    await ask("DELETE", `/organization/api_key/${api_key_id}/`);
    expect((await remove("reader")).status).toBe(204);
    expect((await remove("reader")).status).toBe(404);
    expect((await remove("DefaultAdministratorRole")).status).toBe(409);
    const { body } = await ask("GET", "/organization/role/");
    expect(body.roles).toHaveLength(1);
    expect(body.roles[0].permissions).toEqual(permissions);
  });

  it("changes a user's variables wholly or not at all", async () => {
    const { services, access, ask } = await open();
    const { organization, user_id } = access;
    const modify = (body: object, user = user_id) =>
      ask("POST", `/user/${user}/variable`, { body });
    const read = () => services.userVariables.read(organization, user_id);
    const set = (name: string, value: string, is_secret = false) => ({ name, value, is_secret });

    const first = await modify({
      upserts: [set("aa", "1"), set("bb", "2", true), set("__proto__", "3")],
    });
    expect(first).toMatchObject({ status: 204, body: undefined });
    const after = { plain: { aa: "1", ["__proto__"]: "3" }, sensitive: { bb: "2" } };
    expect(await read()).toEqual(after);
    expect(Object.keys((await read()).plain)).toEqual(["__proto__", "aa"]);

    for (const [body, status] of [
      [{ upserts: [set("aa", "9")], deletes: [{ name: "zz" }] }, 400],
      [{ upserts: [set("aa", "9"), set("aa", "8")] }, 400],
      [{ upserts: [set("aa", "9")], deletes: [{ name: "aa" }] }, 400],
      [{ upserts: [...Array(100).keys()].map((each) => set(`n_${each}`, "1")) }, 400],
      [{ upserts: [set("AA", "9")] }, 422],
      [{ upserts: [set("a", "9")] }, 422],
      [{ upserts: [set("aa", "")] }, 422],
      [{ upserts: [set("aa", "x".repeat(256))] }, 422],
      [{ upserts: [{ name: "aa", value: "9" }] }, 422],
      [{ deletes: ["aa"] }, 422],
    ] as const) {
      expect((await modify(body)).status, JSON.stringify(body)).toBe(status);
    }
    expect(await read()).toEqual(after);

    expect(
      (await modify({ upserts: [set("aa", "ä\0", true)], deletes: [{ name: "bb" }] })).status,
    ).toBe(204);
    expect(await read()).toEqual({ plain: { ["__proto__"]: "3" }, sensitive: { aa: "ä\0" } });
    expect((await modify({})).status).toBe(204);
    for (const user of [unknown, "x"]) {
      expect(await modify({}, user)).toMatchObject({
        status: 404,
        body: { detail: "There is no such user." },
      });
    }
    expect(await services.userVariables.read(organization, unknown)).toEqual({
      plain: {},
      sensitive: {},
    });
  });

  it("shows no organization anything of another", async () => {
    const { parts, services, access, other, ask } = await open();
    const theirs = `/v1/${other.organization}`;
    // By the other's path.
    for (const [method, path] of [
      ["GET", "/organization/api_key/"],
      ["DELETE", `/organization/api_key/${other.api_key_id}/`],
      ["GET", "/organization/role/"],
      ["GET", "/user/"],
      ["GET", "/organization/audit"],
    ] as const) {
      const refused = await ask(method, `${theirs}${path}`);
      const missing = await ask(method, `/v1/${unknown}${path}`);
      expect(refused).toMatchObject({ status: 404, body: missing.body });
      expect(refused.body.detail).toBe("There is no such organization.");
    }
    // By the other's ids.
    for (const [method, path] of [
      ["DELETE", "/organization/api_key/ID/"],
      ["POST", "/organization/api_key/ID/rotate"],
    ] as const) {
      const refused = await ask(method, path.replace("ID", other.api_key_id));
      const missing = await ask(method, path.replace("ID", unknown));
      expect([refused.status, refused.body]).toEqual([404, missing.body]);
    }
    const body = { upserts: [{ name: "aa", value: "1", is_secret: false }] };
    const refused = await ask("POST", `/user/${other.user_id}/variable`, { body });
    const missing = await ask("POST", `/user/${unknown}/variable`, { body });
    expect([refused.status, refused.body]).toEqual([404, missing.body]);
    expect(await services.userVariables.read(other.organization, other.user_id)).toEqual({
      plain: {},
      sensitive: {},
    });
    expect(await services.userVariables.read(access.organization, other.user_id)).toEqual({
      plain: {},
      sensitive: {},
    });
    expect((await ask("GET", `${theirs}/user/`, { key: other.api_key })).status).toBe(200);
    // By what was sealed for the other, put into one's own row.
    await ask("POST", `${theirs}/user/${other.user_id}/variable`, { key: other.api_key, body });
    await ask("POST", `/user/${access.user_id}/variable`, { body });
    const { db } = parts.store;
    const { value } = await db
      .selectFrom("user_variables")
      .select("value")
      .where("org_id", "=", other.organization)
      .executeTakeFirstOrThrow();
    await db
      .updateTable("user_variables")
      .set({ value })
      .where("org_id", "=", access.organization)
      .execute();
    parts.store.touch();
    const moved = async () => services.userVariables.read(access.organization, access.user_id);
    await expect(moved()).rejects.toThrow(/sealed for another row/);
  });

  it("wants a permission for everything but signing in", async () => {
    const { services, createKey, createRole, ask } = await open();
    await createRole("powerless", []);
    const { api_key: key } = (await createKey({ role_name: "powerless" })).body;
    const closed = organizationRoutes(services).filter((route) => "handle" in route);
    expect(closed).toHaveLength(14);
    for (const route of closed) {
      const path = route.url.replace("/v1/:organization", "").replace(/:\w+/, unknown);
      const method = route.method as "GET" | "POST" | "DELETE";
      const refused = await ask(method, path, { key, ...(method === "POST" ? { body: {} } : {}) });
      expect(refused.status, `${method} ${path}`).toBe(403);
      for (const permission of [route.permission ?? []].flat())
        expect(permissions).toContain(permission);
    }
    expect((await ask("GET", "/v1/whoami", { key })).body.permissions).toEqual([]);
  });

  it("keeps who changed what, newest first, page by page", async () => {
    const { access, ask, createKey, createRole } = await open();
    const { organization, user_id, api_key_id } = access;
    await createRole("reader", ["Tool:GetTool"]);
    await createKey({ name: "ci", role_name: "reader" });
    const modify = { upserts: [{ name: "aa", value: "s3cret-value", is_secret: true }] };
    await ask("POST", `/user/${user_id}/variable`, { body: modify });
    const read = (query = "") => ask("GET", `/organization/audit${query}`);
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body).toMatchObject({ has_more: false, continuation_token: null });
    const actions = [
      "user_variables.modify",
      "api_key.create",
      "role.create",
      "organization.create",
    ];
    expect(body.entries.map(({ action }: { action: string }) => action)).toEqual(actions);
    expect(body.entries[0]).toMatchObject({
      org_id: organization,
      user_id,
      api_key_id,
      target: user_id,
      detail: { upserts: ["aa"], deletes: [] },
    });
    expect(body.entries[3].api_key_id).toBe(null);
    expect(JSON.stringify(body)).not.toMatch(/s3cret-value|haft_/);

    const seen: string[] = [];
    for (let token: number | null = 0; token !== null; ) {
      const page: AuditBody = (await read(`?limit=3&continuation_token=${token}`)).body;
      seen.push(...page.entries.map(({ action }) => action));
      expect(page.has_more).toBe(page.continuation_token !== null);
      token = page.continuation_token;
    }
    expect(seen).toEqual(actions);
    const count = async (query: string) => (await read(query)).body.entries.length;
    expect(await count("?action=role.create&action=api_key.create")).toBe(2);
    expect(await count(`?target=${user_id}`)).toBe(1);
    expect(await count(`?user_id=${user_id}&action=role.create`)).toBe(1);
    expect(await count(`?user_id=${unknown}`)).toBe(0);
    expect((await read("?limit=0")).status).toBe(422);
    expect((await read("?continuation_token=x")).status).toBe(422);
  });
});

interface Asking {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface AuditBody {
  readonly entries: readonly { readonly action: string }[];
  readonly has_more: boolean;
  readonly continuation_token: number | null;
}
