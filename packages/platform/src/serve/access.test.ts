import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runClient } from "../git/test-support/git-client.ts";
import { newId } from "../new-id.ts";
import { openLocalPlatform } from "./open-local-platform.ts";
import { type Call, createCaller } from "./test-support/create-caller.ts";
import { createOutsider, expectStatus, type Outsider } from "./test-support/create-outsider.ts";
import { openPlatform, type TestPlatform } from "./test-support/open-platform.ts";

describe("the permissions on a platform", () => {
  const scratch = mkdtempSync(join(tmpdir(), "haft-access-"));
  let platform: TestPlatform;
  let neighbour: Outsider;
  let toolId: string;
  beforeAll(async () => {
    platform = await openPlatform();
    const { directory, url } = platform;
    const local = await openLocalPlatform({ directory, database: undefined });
    // As a command on the machine does, beside the server that runs.
    neighbour = createOutsider({ url, ...(await local.createOrganization("neighbour")) });
    await local.close();
    toolId = await platform.createTool("look_up");
    await platform.push({ "look_up/notes.txt": "ours" });
  }, 30_000);
  afterAll(async () => {
    neighbour?.close();
    await platform?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Somebody with a new key whose role allows just this. */
  const enterWith = async (
    name: string,
    permissions: readonly string[],
  ): Promise<Call & object> => {
    const { call, url, organization } = platform;
    const role = await call("POST", "organization/role/", { body: { name, permissions } });
    expect(role.status).toBe(201);
    const body = { name: null, duration: "PT1H", role_name: name };
    const made = await call<{ api_key: string }>("POST", "organization/api_key/", { body });
    return createCaller({ url, organization, token: expectStatus(made, 201).api_key });
  };

  it("is what the key's role says, and nothing else", async () => {
    const call = await enterWith("Caller", ["Tool:InvokeTool"]);
    const inputs = [{ input_parameters: {}, invocation_mode: "regular" }];
    const invoke = `tool/${newId()}/version/latest/invoke`;
    expect((await call("POST", invoke, { body: { inputs } })).status).toBe(404);
    expect((await call("GET", "tool/")).status).toBe(200);
    const refused = [
      await call("POST", "tool/", { body: { name: "mine", description: "Mine.", tags: {} } }),
      await call("POST", `tool/${toolId}`, { body: { description: "Mine." } }),
      await call("DELETE", `tool/${toolId}`),
      await call("POST", `tool/${toolId}/envvar`, { body: {} }),
      await call("POST", `tool/${toolId}/version`, {
        body: { project_path: "look_up", bump_type: "major" },
      }),
      await call("GET", "tool/invocation"),
      await call("GET", "tool/repository/branches"),
      await call("GET", "tool/git/info/refs?service=git-upload-pack"),
      await call("POST", "organization/api_key/", { body: { name: null, duration: "PT1H" } }),
      await call("POST", "organization/role/", { body: { name: "More", permissions: [] } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    for (const { body } of refused) expect(body).toEqual({ detail: expect.any(String) });
  });

  it("can't exceed the permissions of the key's creator", async () => {
    const call = await enterWith("Keeper", [
      "Organization:CreateAPIKey",
      "Organization:CreateRole",
    ]);
    const key = { name: "all", duration: "PT1H", role_name: "DefaultAdministratorRole" };
    expect((await call("POST", "organization/api_key/", { body: key })).status).toBe(403);
    const role = { name: "All", permissions: ["Tool:DeleteTool"] };
    expect((await call("POST", "organization/role/", { body: role })).status).toBe(403);
  });

  it("ends with the key, at once, for its tokens too", async () => {
    const { call, userId, url, organization } = platform;
    const body = { name: "short", duration: "PT1H" };
    const made = await call<{ api_key: string; api_key_id: string }>(
      "POST",
      "organization/api_key/",
      { body },
    );
    const { api_key, api_key_id } = expectStatus(made, 201);
    const signIn = await call<{ id_token: string }>("POST", "user/signin_with_api_key", {
      token: null,
      headers: { "x-api-key": api_key, "x-api-key-id": api_key_id, "x-user-id": userId },
    });
    const { id_token } = expectStatus(signIn, 200);
    const callers = [api_key, id_token].map((token) => createCaller({ url, organization, token }));
    const ask = async (): Promise<number[]> =>
      Promise.all(callers.map(async (caller) => (await caller("GET", "tool/")).status));
    expect(await ask()).toEqual([200, 200]);
    expect((await call("DELETE", `organization/api_key/${api_key_id}/`)).status).toBe(200);
    expect(await ask()).toEqual([401, 401]);
  });

  it("does not extend to other organizations, which look nonexistent", async () => {
    const unknown = newId();
    for (const [method, path] of [
      ["GET", "tool/"],
      ["DELETE", `tool/${toolId}`],
      ["GET", `tool/${toolId}/version`],
      ["GET", "tool/invocation"],
      ["GET", "tool/git/info/refs?service=git-upload-pack"],
    ] as const) {
      const there = await neighbour.call(method, path, { organization: platform.organization });
      const nowhere = await neighbour.call(method, path, { organization: unknown });
      expect([there.status, there.text]).toEqual([404, nowhere.text]);
      expect(nowhere.status).toBe(404);
    }
    // Nor by the other's things in one's own.
    const foreign = await neighbour.call("DELETE", `tool/${toolId}`);
    const missing = await neighbour.call("DELETE", `tool/${unknown}`);
    expect(foreign.status).toBe(404);
    expect(foreign.text.replace(toolId, unknown)).toBe(missing.text);
    expect((await neighbour.call("GET", `tool/?id=${toolId}`)).body).toMatchObject({ tools: [] });
    const listed = await platform.call("GET", `tool/?id=${toolId}`);
    expect(listed.body).toMatchObject({ tools: [{ deprecated: false }] });
  });

  it("holds for git too", async () => {
    const { organization, remote } = platform;
    const { organization: theirs, key, userId } = neighbour;
    const asNeighbour = remote.replace(/\/\/[^@]+@/u, `//${theirs}_${userId}:${key}@`);
    const foreign = await runClient(scratch, ["ls-remote", asNeighbour]);
    const nowhere = await runClient(scratch, [
      "ls-remote",
      asNeighbour.replace(organization, newId()),
    ]);
    expect([foreign.code, nowhere.code]).toEqual([128, 128]);
    expect(foreign.stderr.replaceAll(/[a-f0-9]{24}/gu, "ID")).toBe(
      nowhere.stderr.replaceAll(/[a-f0-9]{24}/gu, "ID"),
    );
    const own = await runClient(scratch, ["ls-remote", neighbour.remote]);
    expect(own).toMatchObject({ code: 0, stdout: expect.stringMatching(/refs\/heads\/main\n$/u) });
    // Only the key's own user name is accepted.
    const other = remote.replace(`_${platform.userId}:`, `_${newId()}:`);
    expect((await runClient(scratch, ["ls-remote", other])).code).toBe(128);
  });

  it("is not delayed by rate limits of less than a thousand a minute", async () => {
    const { headers } = await platform.call("GET", "tool/");
    expect(Number(headers.get("x-ratelimit-limit"))).toBeGreaterThanOrEqual(1_000);
    expect(headers.get("x-ratelimit-remaining")).not.toBeNull();
  });
});
