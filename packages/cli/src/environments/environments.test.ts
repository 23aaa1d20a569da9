import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTestWorkspace } from "../test-support/run-haft.ts";
import { serveWire } from "../test-support/wire/serve-wire.ts";
import { organization } from "../test-support/wire/wire-platform.ts";

function open() {
  const { haft, directory, state } = createTestWorkspace();
  const home = join(dirname(state), "home");
  const file = join(home, ".config/haft/environments.json");
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}, input = "") =>
    haft(args, { environment: { HOME: home, ...more }, input });
  const putCredentials = (data: string, url: string, apiKey = "test-key"): void => {
    mkdirSync(data, { recursive: true });
    const credentials = { url, organization, user_id: "u", api_key_id: "k", api_key: apiKey };
    writeFileSync(join(data, "credentials.json"), JSON.stringify(credentials));
  };
  return { run, directory, state, home, file, putCredentials };
}

describe("haft env", () => {
  it("keeps platforms under names, with keys that only the user can read", async () => {
    const { url, apiKey } = await serveWire();
    const { run, file } = open();
    expect((await run(["env"])).stdout).toContain("No platforms.");
    const added = await run(["env", "add", "work", "--url", url, "--api-key", "@WORK_KEY"], {
      WORK_KEY: apiKey,
    });
    expect(added).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Added work") });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ work: { url, api_key: apiKey } });
    expect((await run(["env", "list"])).stdout).toMatch(
      new RegExp(`^NAME  URL +ORGANIZATION\nwork  ${url}  -\n$`, "u"),
    );
    const listed = await run(["env", "list", "--json"]);
    expect(listed.json()).toEqual([{ name: "work", url, organization: null }]);
    expect((await run(["tool", "list", "--env", "work"])).exitCode).toBe(0);
    expect((await run(["tool", "list", "-e", "work"])).exitCode).toBe(0);
    expect((await run(["env", "remove", "work"])).stdout).toBe("Removed work.\n");
    expect((await run(["env", "list", "--json"])).json()).toEqual([]);
  });

  it("takes a key from standard input", async () => {
    const { run, file } = open();
    const words = ["env", "add", "a", "--url", "http://a.example", "--api-key", "-", "--json"];
    expect((await run(words, {}, "the-key\n")).json()).toMatchObject({ name: "a" });
    expect(readFileSync(file, "utf8")).toContain('"the-key"');
  });

  it.each([
    [["env", "add", "a"], "--url URL is required"],
    [["env", "add", "a b", "--url", "http://a", "--api-key", "k"], "is not a valid name"],
    [
      ["env", "add", "a", "--url", "nonsense", "--api-key", "k"],
      "is not the address of a platform",
    ],
    [["env", "add", "a", "--url", "http://a", "--api-key", "@NO_SUCH"], "NO_SUCH"],
    [["env", "remove", "a"], 'There is no platform "a"'],
    [["env", "show"], "Subcommands: list, add, remove"],
  ])("refuses %j", async (words, why) => {
    const { run, file } = open();
    expect(await run(words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(why) });
    expect(existsSync(file)).toBe(false);
  });
});

describe("which platform a command talks to", () => {
  it("is what the variables say, and the key tells the organization", async () => {
    const { environment, requests } = await serveWire();
    expect((await open().run(["tool", "list"], environment)).exitCode).toBe(0);
    expect(requests.map(({ path }) => path)).toEqual(["/v1/whoami", "/tool/"]);
  });

  it("is what runs on a data directory: the usual one, HAFT_DATA or --data", async () => {
    const { url, requests } = await serveWire();
    const { run, state, directory, putCredentials } = open();
    putCredentials(join(state, "platform"), url);
    expect((await run(["tool", "list"])).exitCode).toBe(0);
    putCredentials(join(directory, "data"), url);
    expect((await run(["tool", "list"], { HAFT_DATA: join(directory, "data") })).exitCode).toBe(0);
    expect((await run(["tool", "list", "--data", "data"])).exitCode).toBe(0);
    // The credentials name the organization, so no request for it is needed.
    expect(requests.map(({ path }) => path)).toEqual(["/tool/", "/tool/", "/tool/"]);
  });

  it("is what the command line says, whatever the variables do", async () => {
    const wire = await serveWire();
    const { run, directory, putCredentials } = open();
    const elsewhere = { HAFT_URL: "http://127.0.0.1:2", HAFT_API_KEY: "other" };
    putCredentials(join(directory, "data"), wire.url);
    expect((await run(["tool", "list", "--data", "data"], elsewhere)).exitCode).toBe(0);
    await run(["env", "add", "work", "--url", wire.url, "--api-key", wire.apiKey]);
    expect((await run(["tool", "list", "--env", "work"], elsewhere)).exitCode).toBe(0);
    expect(await run(["tool", "list"], elsewhere)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("Nothing answers at http://127.0.0.1:2"),
    });
  });

  it("warns of keys that others can read", async () => {
    const { url, apiKey } = await serveWire();
    const { run, file } = open();
    await run(["env", "add", "work", "--url", url, "--api-key", apiKey]);
    expect((await run(["tool", "list", "-e", "work"])).stderr).toBe("");
    chmodSync(file, 0o644);
    expect((await run(["tool", "list", "-e", "work"])).stderr).toContain(`chmod 600 ${file}`);
  });

  it.each([
    [[], { HAFT_URL: "http://a.example" }, "HAFT_URL is set, but not HAFT_API_KEY"],
    [[], { HAFT_API_KEY: "k" }, "HAFT_API_KEY is set, but not HAFT_URL"],
    [[], {}, /haft serve.*HAFT_URL and HAFT_API_KEY.*--env/u],
    [["--data", "nowhere"], {}, /There is no \S+\/nowhere\/credentials\.json/u],
    [["--env", "work"], {}, /There is no platform "work"\..*haft env add work/u],
    [["--env", "a", "--env", "b"], {}, "--env takes one platform"],
    [["--env", "A=b"], {}, "--env takes the name of a platform"],
    [["--env", "a", "--data", "b"], {}, "--env and --data"],
  ] as const)("is asked for with %j and %j", async (words, environment, why) => {
    const { exitCode, stderr } = await open().run(["tool", "list", ...words], environment);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(why);
  });

  it("names those that are known", async () => {
    const { run } = open();
    for (const name of ["staging", "production"]) {
      await run(["env", "add", name, "--url", "http://a.example", "--api-key", "k"]);
    }
    const { stderr } = await run(["tool", "list", "-e", "stagin"]);
    expect(stderr).toContain("Platforms: staging, production. Did you mean staging?");
  });

  it("says which file is damaged", async () => {
    const { run, directory, file, home } = open();
    mkdirSync(join(directory, "data"));
    writeFileSync(join(directory, "data/credentials.json"), "{");
    const data = await run(["tool", "list", "--data", "data"]);
    expect(data).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is damaged") });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{"a": {"url": 1}}', { mode: 0o600 });
    expect((await run(["tool", "list", "-e", "a"])).stderr).toContain(`${home}/.config/haft`);
  });

  it("tells what the platform refuses, for people and for programs", async () => {
    const { url } = await serveWire();
    const wrong = { HAFT_URL: url, HAFT_API_KEY: "wrong" };
    const { run } = open();
    const told = await run(["tool", "list"], wrong);
    expect(told).toMatchObject({ exitCode: 1, stdout: "" });
    expect(told.stderr).toMatch(/^haft: The API key is not known\. Check.* \[401\]\n$/u);
    const json = await run(["tool", "list", "--json"], wrong);
    expect(json).toMatchObject({ exitCode: 1, stderr: "" });
    expect(json.json()).toMatchObject({ error: { status: 401 } });
  });
});
