import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { requireClient, runClient } from "../git/test-support/git-client.ts";
import { createCaller } from "./test-support/create-caller.ts";
import { expectStatus, type WireResults } from "./test-support/create-outsider.ts";
import { createWireCheck } from "./test-support/create-wire-check.ts";
import { openPlatform, type TestPlatform } from "./test-support/open-platform.ts";
import { readSentEvents } from "./test-support/read-sent-events.ts";
import type { ProjectFiles } from "./test-support/tool-projects.ts";
import { wireOperations } from "./test-support/wire-schemas.ts";

const run = promisify(execFile);

interface Operations {
  readonly operations: readonly { readonly state: string; readonly ended_at: string | null }[];
}

interface Versions {
  readonly tool_versions: readonly {
    readonly version: { readonly major: number; readonly minor: number; readonly patch: number };
    readonly deprecated: boolean;
    readonly tool_commit_hash: string;
  }[];
}

const ada = { input_parameters: { name: "Ada" }, invocation_mode: "regular" };

// One story, from nothing to a tool that is retired: each test goes on where the one before ended.
describe("a platform, from outside", { timeout: 60_000 }, () => {
  const wire = createWireCheck();
  const scratch = mkdtempSync(join(tmpdir(), "haft-outside-"));
  let platform: TestPlatform;
  let toolId: string;
  let scaffold: ProjectFiles;
  beforeAll(async () => {
    platform = await openPlatform({ onAnswer: wire.onAnswer });
  });
  afterAll(async () => {
    await platform?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("writes down how to get in, for its owner only", async () => {
    const { directory, url, organization, userId, key } = platform;
    const path = join(directory, "credentials.json");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      ...{ url, organization, user_id: userId, api_key: key },
      api_key_id: expect.stringMatching(/^[a-f0-9]{24}$/u),
    });
    expect(platform.platform.bootstrap).toMatchObject({ isFirst: true });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await platform.call("GET", "tool/", { token: null })).status).toBe(401);
  });

  it("gives a token for a key, which is then as good as the key", async () => {
    const { call, url, organization } = platform;
    const credentials = JSON.parse(
      readFileSync(join(platform.directory, "credentials.json"), "utf8"),
    );
    const headers = {
      "x-api-key": credentials.api_key,
      "x-api-key-id": credentials.api_key_id,
      "x-user-id": credentials.user_id,
    };
    const signIn = await call<{ id_token: string; expires_at: string }>(
      "POST",
      "user/signin_with_api_key",
      { token: null, headers },
    );
    const { id_token: token, expires_at } = expectStatus(signIn, 200);
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now());
    const signedIn = createCaller({ url, organization, token });
    expect((await signedIn("GET", "tool/")).status).toBe(200);
    const wrong = { ...headers, "x-api-key": `${credentials.api_key}x` };
    const refused = await call("POST", "user/signin_with_api_key", { token: null, headers: wrong });
    expect(refused.status).toBe(401);
    const nothing = await call("POST", "user/signin_with_api_key", { token: null });
    expect(nothing.status).toBe(422);
  });

  it("makes, lists and changes tools", async () => {
    const { call } = platform;
    const body = { name: "my_tool", description: "Greets.", tags: { team: "front", plain: null } };
    const created = await call<{ id: string }>("POST", "tool/", { body });
    toolId = expectStatus(created, 201).id;
    expect((await call("POST", "tool/", { body })).status).toBe(409);
    const change = { description: "Greets somebody." };
    expect((await call("POST", `tool/${toolId}`, { body: change })).status).toBe(204);
    for (const sort of ["+name", "%2Bname"]) {
      const listed = await call("GET", `tool/?sort_by=${sort}&tag=team:front&tag=plain:`);
      expect(listed.body).toMatchObject({
        tools: [{ id: toolId, description: "Greets somebody.", deprecated: false, envvars: [] }],
        has_more: false,
        filter_values: { tags: expect.any(Array) },
      });
    }
    expect((await call("GET", "tool/?limit=0")).status).toBe(422);
  });

  it("hands out a scaffold, and tests it from a branch without publishing", async () => {
    const { call, url, organization, key } = platform;
    const answer = await fetch(`${url}/v1/${organization}/tool/amigo_tool_scaffold.tar.gz`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(answer.headers.get("content-type")).toBe("application/gzip");
    await call("GET", "tool/amigo_tool_scaffold.tar.gz");
    scaffold = await unpack(new Uint8Array(await answer.arrayBuffer()), scratch);
    expect(Object.keys(scaffold)).toContain("my_tool/tool.json");
    const commit = await platform.push(scaffold, "feature");
    const body = { inputs: [ada, { ...ada, invocation_mode: "conversation-simulation" }] };
    const order = { ...body, commit_branch: "feature", project_path: "my_tool" };
    const tested = await call<WireResults>("POST", "tool/test", { body: order });
    expect(expectStatus(tested, 200).invocation_results).toMatchObject([
      { succeeded: true, output: "Hello, Ada!" },
      { succeeded: true, output: "Hello, Ada!\n(simulated)" },
    ]);
    const unfit = { ...order, inputs: [{ ...ada, input_parameters: { nome: "Ada" } }] };
    expect((await call("POST", "tool/test", { body: unfit })).status).toBe(400);
    const elsewhere = { ...order, commit_branch: "nowhere" };
    expect((await call("POST", "tool/test", { body: elsewhere })).status).toBe(404);
    const versions = await call<Versions>("GET", `tool/${toolId}/version`);
    expect(versions.body.tool_versions).toEqual([]);
    const branches = await call("GET", "tool/repository/branches");
    expect(branches.body).toMatchObject({
      branches: [{ name: "feature", commit: expect.anything() }, { name: "main" }],
    });
    expect(branches.text).toContain(commit);
  });

  // 004:244-245: `main` is for the scaffold and shared tools, `team` for all others.
  it("publishes shared tools from main, which holds the scaffold at first", async () => {
    const { call } = platform;
    const id = await platform.createTool("my_python_tool");
    const body = { project_path: "my_python_tool", bump_type: "minor", repo: "main" };
    const published = await call("POST", `tool/${id}/version`, { body });
    expect(expectStatus(published, 201)).toEqual({ new_version: "1.0.0" });
    const { body: ran } = await platform.invoke({ id }, [ada]);
    expect(ran.invocation_results).toMatchObject([{ output: "Hello, Ada!" }]);
    const odd = { ...body, repo: "elsewhere" };
    const refused = await call("POST", `tool/${id}/version`, { body: odd });
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining("repo") });
    expect((await call("DELETE", `tool/${id}`)).status).toBe(204);
  });

  it("publishes what stands on the release branch, one at a time, and tells how it goes", async () => {
    const { call } = platform;
    const body = { project_path: "my_tool", bump_type: "patch" };
    expect((await call("POST", `tool/${toolId}/version`, { body })).status).toBe(404);
    const commit = await platform.push({});
    const headers = { accept: "text/event-stream" };
    const publishing = call("POST", `tool/${toolId}/version`, { body, headers });
    const look = async (): Promise<unknown> =>
      (await call<Operations>("GET", `tool/${toolId}/operation`)).body.operations[0];
    await expect.poll(look).toMatchObject({ ended_at: null });
    const watching = call("GET", `tool/${toolId}/operation/events`);
    const [second, retiring, gone] = await Promise.all([
      call("POST", `tool/${toolId}/version`, { body }),
      call("DELETE", `tool/${toolId}`),
      call("DELETE", `tool/${toolId}/version/${encodeURIComponent(">=1")}`),
    ]);
    expect([second.status, retiring.status, gone.status]).toEqual([409, 409, 404]);
    const events = readSentEvents((await publishing).text);
    const states = events.filter(({ event }) => event === "progress").map(({ data }) => data.state);
    expect([...new Set(states)]).toEqual(["checking", "building", "storing", "active"]);
    expect(events.at(-1)).toEqual({ event: "result", data: { new_version: "1.0.0" } });
    expect(readSentEvents((await watching).text).at(-1)).toEqual(events.at(-1));
    expect(await look()).toMatchObject({ state: "active", version: "1.0.0", error: null });
    const versions = await call<Versions>("GET", `tool/${toolId}/version`);
    expect(versions.body.tool_versions).toMatchObject([
      { version: { major: 1, minor: 0, patch: 0 }, tool_commit_hash: commit, deprecated: false },
    ]);
  });

  it("refuses what breaks callers under a small bump, and numbers what does not", async () => {
    const { call } = platform;
    const manifest = JSON.parse(scaffold["my_tool/tool.json"] ?? "");
    const broken = structuredClone(manifest);
    broken.inputSchema.required = ["name", "times"];
    await platform.push({ "my_tool/tool.json": JSON.stringify(broken) });
    const body = { project_path: "my_tool", bump_type: "minor" };
    const refused = await call<{ detail: string }>("POST", `tool/${toolId}/version`, { body });
    expect(refused.status).toBe(400);
    expect(refused.body.detail).toMatch(/times.*major/u);
    await platform.push({ "my_tool/tool.json": JSON.stringify(manifest) });
    expect(await platform.publish(toolId, "my_tool", "minor")).toBe("1.1.0");
  });

  it.each([
    ["1.0.0", "1.0.0"],
    ["latest", "1.1.0"],
    [">=1,<1.1", "1.0.0"],
    ["~=1.0", "1.1.0"],
  ])("invokes %s, which is %s", async (version, ran) => {
    const inputs = ["Ada", "Grace", "Barbara"].map((name) => ({ input_parameters: { name } }));
    const answer = await platform.invoke({ id: toolId, version }, inputs);
    expect(answer.headers.get("x-tool-version")).toBe(ran);
    expect(expectStatus(answer, 200).invocation_results.map(({ output }) => output)).toEqual([
      ...["Hello, Ada!", "Hello, Grace!", "Hello, Barbara!"],
    ]);
  });

  it.each([
    [404, "9.9.9", [ada]],
    [404, ">=2", [ada]],
    [400, "latest", [ada, { input_parameters: { times: 3 } }]],
    [422, "latest", []],
    [422, "latest", Array.from({ length: 11 }, () => ada)],
    [422, "not a version!", [ada]],
  ])("answers %i to %s with unfit inputs or versions", async (status, version, inputs) => {
    expect((await platform.invoke({ id: toolId, version }, inputs)).status).toBe(status);
  });

  it("is a repository that an ordinary git clones", async () => {
    const clone = join(scratch, "clone");
    const branch = `releases/${platform.organization}`;
    await requireClient(scratch, ["clone", "--quiet", "--branch", branch, platform.remote, clone]);
    expect(readFileSync(join(clone, "my_tool/src/tool.ts"), "utf8")).toBe(
      scaffold["my_tool/src/tool.ts"],
    );
    const stranger = platform.remote.replace(platform.key, "wrong");
    const refused = await runClient(scratch, ["ls-remote", stranger]);
    expect(refused).toMatchObject({ code: 128, stderr: expect.stringContaining("Authentication") });
  });

  it("retires versions by constraint, and then the tool", async () => {
    const { call } = platform;
    const old = encodeURIComponent("<1.1");
    expect((await call("DELETE", `tool/${toolId}/version/${old}`)).status).toBe(204);
    const active = await call<Versions>("GET", `tool/${toolId}/version?deprecated=false`);
    expect(active.body.tool_versions.map(({ version }) => version.minor)).toEqual([1]);
    expect((await platform.invoke({ id: toolId, version: "1.0.0" }, [ada])).status).toBe(404);
    expect((await platform.invoke({ id: toolId }, [ada])).status).toBe(200);
    expect((await call("DELETE", `tool/${toolId}`)).status).toBe(204);
    expect((await platform.invoke({ id: toolId }, [ada])).status).toBe(404);
    const listed = await call("GET", `tool/?id=${toolId}&deprecated=true`);
    expect(listed.body).toMatchObject({ tools: [{ id: toolId, deprecated: true }] });
    const again = { name: "my_tool", description: "Another.", tags: {} };
    expect((await call("POST", "tool/", { body: again })).status).toBe(201);
  });

  it("answers every operation of the published interface in its shape", async () => {
    const { call, userId } = platform;
    const body = { name: null, duration: "P1D" };
    const made = await call<{ api_key_id: string }>("POST", "organization/api_key/", { body });
    expect(made.status).toBe(201);
    expect((await call("GET", "organization/api_key/")).status).toBe(200);
    const path = `organization/api_key/${made.body.api_key_id}/`;
    expect((await call("DELETE", path)).status).toBe(200);
    const upserts = [{ name: "nickname", value: "Countess", is_secret: false }];
    const changed = await call("POST", `user/${userId}/variable`, { body: { upserts } });
    expect(changed.status).toBe(204);
    const inserts = [{ name: "GREETING", value: "Hi", is_secret: false }];
    const [tool] = (await call<{ tools: { id: string }[] }>("GET", "tool/?deprecated=false")).body
      .tools;
    expect((await call("POST", `tool/${tool?.id}/envvar`, { body: { inserts } })).status).toBe(204);
    expect((await call("GET", "tool/invocation?limit=100")).status).toBe(200);
    const against = "query_against=invocation_status.output";
    expect((await call("GET", `tool/invocation/search?query=Ada&${against}`)).status).toBe(200);
    expect(wire.faults).toEqual([]);
    expect([...wire.answered].sort()).toEqual(
      wireOperations.map(({ operationId }) => operationId).sort(),
    );
  });
});

/** The files of an archive, by path. */
async function unpack(archive: Uint8Array, scratch: string): Promise<ProjectFiles> {
  const target = mkdtempSync(join(scratch, "scaffold-"));
  const unpacking = run("tar", ["-xzf", "-", "-C", target]);
  unpacking.child.stdin?.end(archive);
  await unpacking;
  return Object.fromEntries(
    readdirSync(target, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(target.length + 1), readFileSync(path, "utf8")]),
  );
}
