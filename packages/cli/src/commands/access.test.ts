import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Command } from "../command.ts";
import { declareKey } from "../declarations/key.ts";
import { declareOrg } from "../declarations/org.ts";
import { declareRole } from "../declarations/role.ts";
import { declareSecrets } from "../declarations/secrets.ts";
import type { OpenLocalPlatform } from "../environments/local-platform.ts";
import { createMemoryPlatform } from "../test-support/memory-platform.ts";
import { type CommandContext, runCommand } from "../test-support/run-command.ts";
import { createTestWorkspace } from "../test-support/run-haft.ts";
import { serveWire } from "../test-support/wire/serve-wire.ts";
import { apiKeyId, reply, type WireHandler } from "../test-support/wire/wire-platform.ts";

const organization = "0".repeat(24);

/** A data directory with a store; nothing answers at its address unless one is given. */
function open(make: (open: OpenLocalPlatform) => Command, url = "http://127.0.0.1:2") {
  const memory = createMemoryPlatform();
  const { directory, state } = createTestWorkspace();
  const data = join(directory, "data");
  mkdirSync(data);
  writeFileSync(join(data, "haft.db"), "");
  const credentials = {
    url,
    organization,
    user_id: "u",
    api_key_id: apiKeyId,
    api_key: "test-key",
  };
  const file = join(data, "credentials.json");
  writeFileSync(file, JSON.stringify(credentials), { mode: 0o600 });
  const run = (
    args: readonly string[],
    more: Partial<Pick<CommandContext, "typed" | "outputIsTerminal">> = {},
  ) =>
    runCommand(make(memory.open), args, {
      directory,
      environment: { HAFT_HOME: state, HOME: directory, HAFT_DATA: data },
      ...more,
    });
  return { ...memory, run, directory, data, file, credentials };
}

describe("haft org", () => {
  it("makes an organization and prints how its administrator gets in", async () => {
    const { run, calls, places, data, openCount, credentials } = open(declareOrg);
    const made = await run(["create", "acme"]);
    expect(made.exitCode).toBe(0);
    expect(made.json()).toEqual({
      url: credentials.url,
      organization: "o",
      user_id: "u",
      api_key_id: "k",
      api_key: "secret-key",
    });
    expect(calls).toEqual([["createOrganization", "acme"]]);
    expect(places).toEqual([{ directory: data, database: undefined }]);
    expect(openCount()).toBe(0);
  });

  it("lists organizations, also of a database", async () => {
    const { run, places } = open(declareOrg);
    const database = "postgres://localhost/haft";
    const { stdout } = await run(["list", "--database", database]);
    expect(stdout).toBe("ID  NAME\no1  acme\no2  other\\u{1b}[1m\n");
    expect(places[0]?.database).toBe(database);
    expect((await run(["--json"])).json()).toMatchObject([{ name: "acme" }, { id: "o2" }]);
  });

  it.each([
    [["create"], "needs the argument NAME"],
    [["create", "a", "b"], 'unexpected argument: "b"'],
    [["remove", "a"], "Subcommands: create, list"],
    [["list", "--database", "mysql://user:hush@a"], "postgres://"],
  ])("refuses %j", async (words, why) => {
    const { run, places } = open(declareOrg);
    const ran = await run(words);
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
    expect(ran.stderr).not.toContain("hush");
    expect(places).toEqual([]);
  });
});

describe("haft role", () => {
  const words = ["create", "caller", "--permission", "Tool:InvokeTool"];
  const role = { name: "caller", permissions: ["Tool:InvokeTool"] };

  it("works on the store where no server answers, for the credentials' organization", async () => {
    const { run, calls, openCount } = open(declareRole);
    expect((await run([...words, "--json"])).json()).toEqual({ id: "r", ...role });
    expect((await run(["list"])).stdout).toBe("NAME    PERMISSIONS\ncaller  Tool:InvokeTool\n");
    expect((await run(["update", ...words.slice(1)])).stdout).toBe(
      "caller now grants Tool:InvokeTool.\n",
    );
    expect((await run(["delete", "caller"])).stdout).toBe("Deleted the role caller.\n");
    await run([...words, "--organization", "other"]);
    await run([...words, "--database", "postgres://a/b"]);
    expect(calls).toEqual([
      ["createRole", organization, role],
      ["listRoles", organization],
      ["replaceRole", organization, role],
      ["deleteRole", organization, "caller"],
      ["createRole", "other", role],
      ["createRole", undefined, role],
    ]);
    expect(openCount()).toBe(0);
  });

  it("asks the server where one answers", async () => {
    const wire = await serveWire(({ method, path, body }, response) => {
      if (path === "/organization/role/" && method === "POST") {
        return reply(response, 201, { id: "r", ...(body as object) });
      }
      if (path === "/organization/role/caller" && method === "PUT") {
        return reply(response, 200, { id: "r", name: "caller", ...(body as object) });
      }
      return path === "/organization/role/caller" && method === "DELETE"
        ? reply(response, 204)
        : false;
    });
    const { haft } = createTestWorkspace();
    const { environment } = wire;
    const made = await haft(
      ["role", ...words, "--permission", "Tool:GetTool,User:GetUser", "--json"],
      {
        environment,
      },
    );
    expect(made.json()).toMatchObject({
      name: "caller",
      permissions: ["Tool:InvokeTool", "Tool:GetTool", "User:GetUser"],
    });
    const updated = await haft(["role", "update", ...words.slice(1), "--json"], { environment });
    expect(updated.json()).toEqual({ id: "r", ...role });
    expect((await haft(["role", "delete", "caller"], { environment })).exitCode).toBe(0);
  });

  it("asks the server that runs on a data directory rather than its store", async () => {
    const path = `/v1/${organization}/organization/role/`;
    const wire = await serveWire((request, response) =>
      request.path === path ? reply(response, 201, { id: "from-server", ...role }) : false,
    );
    const { run, places } = open(declareRole, wire.url);
    expect((await run([...words, "--json"])).json()).toMatchObject({ id: "from-server" });
    expect(places).toEqual([]);
  });

  it("passes on what a store refuses as what a server refuses", async () => {
    const { run, openCount } = open(declareRole);
    const taken = ["create", "taken", "--permission", "Tool:InvokeTool"];
    expect(await run(taken)).toMatchObject({
      exitCode: 1,
      stderr: "haft: There is a role taken already. [409]\n",
    });
    expect((await run([...taken, "--json"])).json()).toMatchObject({ error: { status: 409 } });
    expect(openCount()).toBe(0);
  });

  it.each([
    [["create"], "needs the argument NAME"],
    [["create", "a"], "--permission RESOURCE:ACTION"],
    [["create", "a", "--permission", "everything"], "Permissions look like Tool:InvokeTool"],
    [["rename", "a"], "Subcommands: create, update, list, delete"],
    [["list", "a"], 'takes no arguments, but got "a"'],
  ])("refuses %j", async (given, why) => {
    const { run } = open(declareRole);
    expect(await run(given)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });

  it("says how to name a platform where there is none", async () => {
    const { haft } = createTestWorkspace();
    expect(await haft(["role", "list"])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("HAFT_URL and HAFT_API_KEY"),
    });
  });
});

describe("haft key", () => {
  it("makes a key with a role for a time, and shows it this once", async () => {
    const { run, calls } = open(declareKey);
    const made = await run(["create", "--role", "caller", "--name", "ci", "--duration", "12h"]);
    expect(made.json()).toMatchObject({ api_key: "new-key" });
    const shown = await run(["create"], { outputIsTerminal: true });
    expect(shown.stdout).toMatch(/^api_key_id {2}.*\napi_key {5}new-key\n/u);
    await run(["create"]);
    await run(["create", "--duration", "P1Y2M"]);
    expect(calls.map(([, , key]) => key)).toEqual([
      { name: "ci", duration: "PT12H", role_name: "caller" },
      { name: null, duration: "P90D", role_name: "DefaultAdministratorRole" },
      { name: null, duration: "P90D", role_name: "DefaultAdministratorRole" },
      { name: null, duration: "P1Y2M", role_name: "DefaultAdministratorRole" },
    ]);
  });

  it("lists keys by what they may do and until when", async () => {
    const { run } = open(declareKey);
    expect((await run(["list"])).stdout).toBe(
      "ID  NAME  ROLE    EXPIRES     PERMISSIONS\nk1  ci    caller  2026-04-01  Tool:InvokeTool@set:desk\n",
    );
    expect((await run(["--json"])).json()).toMatchObject({ api_keys: [{ key_id: "k1" }] });
  });

  it("deletes after a yes only", async () => {
    const { run, calls } = open(declareKey);
    expect(await run(["delete", "k1"])).toMatchObject({ exitCode: 2 });
    expect(await run(["delete", "k1"], { typed: ["no"] })).toMatchObject({ exitCode: 1 });
    expect(calls).toEqual([]);
    expect(await run(["delete", "k1"], { typed: ["y"] })).toMatchObject({ exitCode: 0 });
    expect((await run(["delete", "k2", "--yes", "--json"])).json()).toEqual({
      deleted_key_id: "k2",
    });
    expect(calls.map(([, , id]) => id)).toEqual(["k1", "k2"]);
  });

  it("puts a rotated key where commands look for it", async () => {
    const { run, calls, file, credentials } = open(declareKey);
    await run(["rotate", "0".repeat(24), "--grace", "1h"]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(credentials);
    const { stdout, stderr } = await run(["rotate", apiKeyId]);
    expect(JSON.parse(stdout)).toMatchObject({ api_key: "new-key" });
    expect(stderr).toContain("now use the new key");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      ...credentials,
      api_key: "new-key",
      api_key_id: "0".repeat(24),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(calls.map(([, , , options]) => options)).toEqual([{ grace: "PT1H" }, {}]);
  });

  it("rotates the key of a named platform over HTTP", async () => {
    const rotated: WireHandler = ({ method, path }, response) =>
      method === "POST" && path === `/organization/api_key/${apiKeyId}/rotate`
        ? reply(response, 201, { api_key_id: "n", api_key: "new-key", expires_at: "2027" })
        : false;
    const { url, apiKey } = await serveWire(rotated);
    const { haft, directory } = createTestWorkspace();
    const environment = { XDG_CONFIG_HOME: directory };
    await haft(["env", "add", "work", "--url", url, "--api-key", apiKey], { environment });
    const ran = await haft(["key", "rotate", apiKeyId, "-e", "work"], { environment });
    expect(ran.json()).toMatchObject({ api_key: "new-key" });
    const kept = JSON.parse(readFileSync(join(directory, "haft/environments.json"), "utf8"));
    expect(kept).toEqual({ work: { url, api_key: "new-key" } });
  });

  it.each([
    [["create", "--duration", "soon"], "12h, 90d or 1y"],
    [["delete"], "needs the argument ID"],
    [["rotate"], "needs the argument ID"],
    [["show"], "Subcommands: create, list, rotate, delete"],
  ])("refuses %j", async (words, why) => {
    const { run } = open(declareKey);
    expect(await run(words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
  });
});

describe("haft secrets", () => {
  it("rotates the master key", async () => {
    const { run, calls, openCount } = open(declareSecrets);
    expect((await run(["rotate"])).stdout).toBe("Encrypted 3 secrets with the new key abc.\n");
    expect((await run(["rotate", "--json"])).json()).toMatchObject({ resealed: 3 });
    expect([calls.length, openCount()]).toEqual([2, 0]);
    expect(await run([])).toMatchObject({ exitCode: 2 });
    expect(await run(["show"])).toMatchObject({ exitCode: 2 });
  });
});
