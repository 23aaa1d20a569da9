import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createPlatformClient } from "@haft/platform/client";
import { describe, expect, it } from "vitest";
import { createTestWorkspace, type Ran } from "../../test-support/run-haft.ts";
import { serveWire } from "../../test-support/wire/serve-wire.ts";
import { reply } from "../../test-support/wire/wire-platform.ts";

interface Desk {
  readonly home: string;
  readonly workspace: string;
  install(...args: string[]): Promise<Ran>;
  read(path: string): string;
}

// Somebody's home and project, with these files in the home.
function createDesk(files: Readonly<Record<string, string>> = {}, variables = {}): Desk {
  const { directory, haft } = createTestWorkspace({ "home/keep": "", "project/keep": "" });
  const home = join(directory, "home");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }
  const workspace = join(directory, "project");
  return {
    home,
    workspace,
    install: (...args) =>
      haft(["mcp", "install", ...args], { environment: { HOME: home, ...variables } }),
    read: (path) => readFileSync(join(home, path), "utf8"),
  };
}

const bin = expect.stringMatching(/\/cli\/bin\/haft\.js$/u);
const started = [process.execPath, bin, "mcp", "--yes"];
const speaking = (dialect: string) => asEntry([...started, "--dialect", dialect]);
const asEntry = ([command, ...args]: readonly unknown[]): object => ({ command, args });

describe("haft mcp install", () => {
  it.each([
    ["claude", ".claude.json", { mcpServers: { haft: { type: "stdio", ...speaking("claude") } } }],
    ["gemini", ".gemini/settings.json", { mcpServers: { haft: speaking("gemini") } }],
    [
      "opencode",
      ".config/opencode/opencode.json",
      { mcp: { haft: { type: "local", command: started, timeout: 600_000 } } },
    ],
    ["zed", ".config/zed/settings.json", { context_servers: { haft: asEntry(started) } }],
  ])("writes the settings of %s for its user", async (client, path, settings) => {
    const { install, read, home } = createDesk();
    const ran = await install(client);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toContain(`Created ${join(home, path)}`);
    expect(ran.stdout).toContain("To undo: ");
    expect(ran.stdout).toMatch(/switch off .*'s own\.\n {2}\S/u);
    expect(JSON.parse(read(path))).toEqual(settings);
    expect(statSync(join(home, path)).mode & 0o777).toBe(0o600);
  });

  it("writes those of Codex as TOML", async () => {
    const { install, read } = createDesk({ ".codex/config.toml": "model = 'x' # mine\n" });
    expect((await install("codex")).exitCode).toBe(0);
    expect(read(".codex/config.toml")).toMatch(
      /^model = 'x' # mine\n\n\[mcp_servers\.haft\]\ncommand = ".*node"\nargs = \[ ".*haft\.js", "mcp", "--yes", "--dialect", "codex" \]\ntool_timeout_sec = 600\n$/u,
    );
  });

  it.each([
    ["claude", ".mcp.json"],
    ["codex", ".codex/config.toml"],
    ["gemini", ".gemini/settings.json"],
    ["opencode", "opencode.json"],
    ["cursor", ".cursor/mcp.json"],
    ["zed", ".zed/settings.json"],
    ["vscode", ".vscode/mcp.json"],
  ])(
    "writes those of %s for everybody in the project, without a path of this machine",
    async (...given) => {
      const [client, path] = given;
      const { install, workspace, home } = createDesk();
      const before = readdirSync(home);
      const plan = ["--mount", join("project", "plan.yaml")];
      const args = [client, "--scope", "project", "-C", workspace];
      expect((await install(...args, ...plan)).exitCode).toBe(0);
      const text = readFileSync(join(workspace, path), "utf8");
      expect(text).toMatch(/"npx"[\s\S]*"haft"[\s\S]*"mcp"[\s\S]*"\.\/plan\.yaml"/u);
      expect(text).not.toMatch(/"\//u);
      const namesFolder = ["cursor", "vscode"].includes(client);
      expect(/"\$\{workspaceFolder\}"/u.test(text)).toBe(namesFolder);
      expect(readdirSync(home)).toEqual(before);
      const outside = await install(...args, "--mount", "plan.yaml");
      expect(outside).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining("--scope user"),
      });
    },
  );

  it("names the workspace to Windsurf, which starts servers anywhere", async () => {
    const { install, read, workspace } = createDesk();
    const ran = await install("windsurf", "-C", workspace);
    expect(ran.exitCode).toBe(0);
    expect(JSON.parse(read(".codeium/windsurf/mcp_config.json"))).toEqual({
      mcpServers: { haft: asEntry([...started, "-C", workspace]) },
    });
    const shared = await install("windsurf", "--scope", "project");
    expect(shared).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Scopes: user") });
  });

  it("passes on its options, with absolute paths", async () => {
    const { install, read, workspace } = createDesk({}, { HAFT_SANDBOX: "auto" });
    const { exitCode } = await install(
      ...["gemini", "--name", "mine", "-C", "project", "--dialect", "amp", "--session", "s"],
      ...["--rule", "bash ls allow", "--rule", "write ** deny", "--allow-host", "example.com"],
      ...["--mount", "plan.yaml", "--tools", "read, bash", "--read-only"],
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(read(".gemini/settings.json")).mcpServers.mine.args.slice(1)).toEqual([
      ...["mcp", "--yes", "--dialect", "amp", "--session", "s", "--sandbox", "auto"],
      ...["--rule", "bash ls allow", "--rule", "write ** deny", "--allow-host", "example.com"],
      ...["--mount", join(dirname(workspace), "plan.yaml"), "--tools", "read,bash", "--read-only"],
      ...["-C", workspace],
    ]);
  });

  it("keeps comments, layout, mode and links of what was there", async () => {
    const settings = '// mine\n{\n\t"theme": "One", // dark\n\t"context_servers": {},\n}\n';
    const { install, home } = createDesk({ "dots/zed.json": settings });
    const [real, link] = [join(home, "dots/zed.json"), join(home, ".config/zed/settings.json")];
    chmodSync(real, 0o640);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync("../../dots/zed.json", link);
    expect((await install("zed")).stdout).toContain("Added to");
    const after = readFileSync(real, "utf8");
    const [before, end] = [
      '// mine\n{\n\t"theme": "One", // dark\n\t"context_servers": {',
      "},\n}\n",
    ];
    expect([after.slice(0, before.length), after.slice(-end.length)]).toEqual([before, end]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(readdirSync(dirname(real))).toEqual(["zed.json"]);
  });

  it("follows a link to where there is nothing yet", async () => {
    const { install, home } = createDesk();
    symlinkSync("dots/claude.json", join(home, ".claude.json"));
    expect((await install("claude")).exitCode).toBe(0);
    expect(lstatSync(join(home, ".claude.json")).isSymbolicLink()).toBe(true);
    expect(existsSync(join(home, "dots/claude.json"))).toBe(true);
  });

  it("says that it already exists, also where somebody added to it", async () => {
    const { install, read, home } = createDesk();
    await install("gemini");
    const path = ".gemini/settings.json";
    const added = read(path).replace('"command"', '"trust": true,\n      "command"');
    writeFileSync(join(home, path), added);
    const again = await install("gemini");
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    expect(again.stdout).toContain("Already in");
    expect(read(path)).toBe(added);
  });

  it.each([
    ["claude", ".claude.json", '{"mcpServers": {"haft": {"command": "old"}}, "b": 1}'],
    ["codex", ".codex/config.toml", '# top\n[mcp_servers.haft]\ncommand = "old"\n[b]\nc = 1\n'],
  ])("replaces another entry of %s with --yes only", async (client, path, text) => {
    const { install, read } = createDesk({ [path]: text });
    const refused = await install(client);
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toContain("old");
    expect(refused.stderr).toContain("--yes replaces it");
    expect(read(path)).toBe(text);
    const replaced = await install(client, "--yes");
    expect(replaced.exitCode).toBe(0);
    expect(replaced.stdout).toContain("old");
    expect(read(path)).not.toContain("old");
    expect(read(path)).toMatch(/"b": 1|\[b\]\nc = 1/u);
    expect((await install(client, "--name", "other")).exitCode).toBe(0);
  });

  it.each([
    ["claude", ".claude.json", "{"],
    ["claude", ".claude.json", "[]"],
    ["claude", ".claude.json", '{"mcpServers": 1}'],
    ["codex", ".codex/config.toml", "a ="],
    ["codex", ".codex/config.toml", "mcp_servers = { x = { command = 'a' } }"],
    ["opencode", ".config/opencode/opencode.jsonc", "{'a': 1}"],
  ])("leaves settings of %s alone that it can't change, and names them", async (...given) => {
    const [client, path, text] = given;
    const { install, read, home } = createDesk({ [path]: text });
    const ran = await install(client, "--yes");
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain(join(home, path));
    expect(read(path)).toBe(text);
    expect(readdirSync(dirname(join(home, path)))).not.toContainEqual(
      expect.stringContaining(".haft-"),
    );
  });

  it("leaves settings alone that are not UTF-8", async () => {
    const { install, home } = createDesk();
    const path = join(home, ".claude.json");
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    writeFileSync(path, bytes);
    expect((await install("claude")).stderr).toContain("not UTF-8");
    expect(readFileSync(path)).toEqual(bytes);
  });

  it("continues in the settings file that the user has", async () => {
    const jsonc = ".config/opencode/opencode.jsonc";
    const { install, read, home } = createDesk({ [jsonc]: "{\n  // mine\n}\n" });
    await install("opencode");
    expect(read(jsonc)).toContain("// mine");
    expect(read(jsonc)).toContain('"haft"');
    expect(existsSync(join(home, ".config/opencode/opencode.json"))).toBe(false);
  });

  it("respects variables that move the settings of clients", async () => {
    const desk = createDesk({}, { XDG_CONFIG_HOME: "/nowhere", CODEX_HOME: "/nowhere/codex" });
    const path = async (client: string): Promise<string> =>
      (await desk.install(client, "--print", "--json")).json<{ path: string }>().path;
    expect(await path("zed")).toBe("/nowhere/zed/settings.json");
    expect(await path("codex")).toBe("/nowhere/codex/config.toml");
  });

  it("prints the settings and the client's own command, and writes nothing", async () => {
    const { install, home } = createDesk();
    const { stdout, stderr, exitCode } = await install(
      "claude",
      "--print",
      "--rule",
      "bash ls allow",
    );
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).mcpServers.haft.args).toContain("bash ls allow");
    expect(stderr).toMatch(
      /claude mcp add --scope user haft -- \S+ \S+ mcp --yes --dialect claude --rule 'bash ls allow'/u,
    );
    const toml = await install("codex", "--print");
    expect(toml.stdout).toMatch(/^\[mcp_servers\.haft\]\n/u);
    expect(toml.stderr).toContain("codex mcp add haft -- ");
    const { json } = await install("claude", "--print", "--json");
    expect(json()).toMatchObject({
      client: "claude",
      scope: "user",
      name: "haft",
      path: join(home, ".claude.json"),
      entry: { type: "stdio" },
      snippet: expect.stringContaining("mcpServers"),
      command: expect.stringContaining("claude mcp add"),
    });
    expect(readdirSync(home)).toEqual(["keep"]);
  });

  it("tells as JSON what it did", async () => {
    const { install } = createDesk();
    const facts = { client: "cursor", scope: "user", name: "haft", previous: null };
    const args = ["cursor", "--scope", "user", "--json"];
    expect((await install(...args)).json()).toMatchObject({ ...facts, changed: true });
    const again = await install(...args);
    expect(again.json()).toMatchObject({ changed: false });
    expect(again.exitCode).toBe(0);
    const other = await install(...args, "--read-only");
    expect(other.exitCode).toBe(1);
    expect(other.json()).toMatchObject({ changed: false, previous: { command: process.execPath } });
  });

  it("writes only the name if it permanently resolves to this program", async () => {
    const { install, home } = createDesk();
    const folder = join(home, "bin");
    const passing = join(home, "node_modules", ".bin");
    const entry = async (path: string): Promise<object> => {
      const { haft } = createTestWorkspace();
      const environment = { HOME: home, PATH: path };
      const ran = await haft(["mcp", "install", "gemini", "--print", "--json"], { environment });
      return ran.json<{ entry: object }>().entry;
    };
    const printed = JSON.parse((await install("gemini", "--print")).stdout);
    const [program] = printed.mcpServers.haft.args as [string];
    for (const place of [folder, passing]) {
      mkdirSync(place, { recursive: true });
      symlinkSync(program, join(place, "haft"));
    }
    expect(await entry(folder)).toMatchObject({ command: process.execPath });
    symlinkSync(process.execPath, join(folder, "node"));
    symlinkSync(process.execPath, join(passing, "node"));
    expect(await entry(folder)).toEqual({
      command: "haft",
      args: ["mcp", "--yes", "--dialect", "gemini"],
    });
    expect(await entry(passing)).toMatchObject({ command: process.execPath });
  });

  it("lists the clients, and which are here", async () => {
    const { install, home } = createDesk({ ".gemini/settings.json": "{}" });
    await install("zed");
    const { stdout, exitCode } = await install();
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^claude +not found\n/u);
    expect(stdout).toContain(`gemini    ${join(home, ".gemini/settings.json")}\n`);
    expect(stdout).toMatch(/\nzed .* haft is in: /u);
    const { clients } = (await install("--json")).json<{ clients: { client: string }[] }>();
    expect(clients.map(({ client }) => client)).toEqual([
      ...["claude", "codex", "gemini", "opencode", "cursor", "zed", "vscode", "windsurf"],
    ]);
  });

  it.each([
    [["vim"], 'There is no client "vim". Clients: claude, codex'],
    [["claude", "zed"], "unexpected argument"],
    [["claude", "--scope", "session"], "--scope is one of user, project"],
    [["claude", "--name", "__proto__"], '--name: "__proto__"'],
    [["claude", "--name", "a.b"], '--name: "a.b"'],
    [["gemini", "--rule", "bash echo $HOME allow"], "would replace a variable in"],
    [["opencode", "--rule", "bash echo {env:A} allow"], "would replace a variable in"],
  ])("refuses %j as no proper command line", async (args, reason) => {
    const { install, home } = createDesk();
    const { exitCode, stderr } = await install(...args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(reason);
    expect(readdirSync(home)).toEqual(["keep"]);
  });
});

describe("haft mcp install --org", () => {
  const open = async () => {
    const wire = await serveWire(({ method, path }, response) => {
      if (method !== "GET" || !path.startsWith("/tool/set/")) return false;
      if (path !== "/tool/set/support") return reply(response, 404, { detail: "No such set." });
      return reply(response, 200, { name: "support", instructions: "", tools: [] });
    });
    const desk = createDesk({}, wire.environment);
    const client = createPlatformClient({
      url: wire.environment.HAFT_URL as string,
      apiKey: wire.environment.HAFT_API_KEY as string,
    });
    const { organization, organization_name: name } = await client.whoami();
    const url = `${wire.environment.HAFT_URL}/v1/${organization}/mcp`;
    return { ...desk, name, url, key: wire.environment.HAFT_API_KEY as string };
  };
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

  it.each([
    {
      ...{ client: "claude", path: ".claude.json", section: "mcpServers" },
      ...{ member: "url", token: `\${HAFT_API_KEY}`, more: { type: "http" } },
    },
    {
      ...{ client: "gemini", path: ".gemini/settings.json", section: "mcpServers" },
      ...{ member: "httpUrl", token: "$HAFT_API_KEY", more: {} },
    },
    {
      ...{ client: "opencode", path: ".config/opencode/opencode.json", section: "mcp" },
      ...{ member: "url", token: "{env:HAFT_API_KEY}", more: { type: "remote", timeout: 600_000 } },
    },
    {
      ...{ client: "windsurf", path: ".codeium/windsurf/mcp_config.json", section: "mcpServers" },
      ...{ member: "serverUrl", token: `\${env:HAFT_API_KEY}`, more: {} },
    },
  ])("writes the endpoint of a set for $client, and never the key", async (expected) => {
    const { client, path, section, member, token, more } = expected;
    const { install, read, name, url, key } = await open();
    const ran = await install(client, "--org", name, "--set", "support");
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toContain("HAFT_API_KEY");
    expect(JSON.parse(read(path))).toEqual({
      [section]: { support: { ...more, [member]: `${url}/support`, ...bearer(token) } },
    });
    expect(read(path) + ran.stdout).not.toContain(key);
  });

  it("names another variable, and the whole organization", async () => {
    const { install, url, name } = await open();
    const ran = await install("codex", "--org", name, "--key-env", "ACME_KEY", "--print");
    expect(ran.stdout).toContain(`url = "${url}"`);
    expect(ran.stdout).toContain('bearer_token_env_var = "ACME_KEY"');
    expect(ran.stdout).toContain("[mcp_servers.haft-tools]");
  });

  it.each([
    [["--set", "support"], "--set needs --org"],
    [["--org", "other"], "is for the organization"],
    [["--org", "ORG", "--set", "nothing"], "No such set."],
    [["--org", "ORG", "--key-env", "haft_secret-key"], "never written"],
  ])("refuses %j", async (args, told) => {
    const { install, name, home } = await open();
    const { stderr, exitCode } = await install(
      "claude",
      ...args.map((word) => (word === "ORG" ? name : word)),
    );
    expect(stderr).toContain(told);
    expect(exitCode).toBe(2);
    expect(existsSync(join(home, ".claude.json"))).toBe(false);
  });

  it("refuses a client that can't read a variable", async () => {
    const { install, name } = await open();
    expect((await install("zed", "--org", name)).stderr).toContain("by hand");
  });
});
