import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readSettingsFile } from "./client-settings.ts";
import { readClientServers } from "./read-client-servers.ts";

async function read(name: string, text: string) {
  const directory = mkdtempSync(join(tmpdir(), "haft-import-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, name), text);
  return readClientServers(await readSettingsFile(join(directory, name), "/project"), "/project");
}

const program = { type: "stdio", args: [], env: {}, passEnv: [], reads: [], hosts: [] };

describe("readClientServers", () => {
  it("reads Claude Code's, of the project too", async () => {
    const settings = {
      mcpServers: { all: { command: "a", env: { KEY: `\${KEY}` } } },
      projects: { "/project": { mcpServers: { here: { command: "b" } } }, "/other": {} },
    };
    expect((await read("claude.json", JSON.stringify(settings))).servers).toEqual([
      { name: "all", settings: { ...program, command: "a", env: { KEY: `\${KEY}` } } },
      { name: "here", settings: { ...program, command: "b" } },
    ]);
  });

  it("reads Codex's", async () => {
    const toml = `[mcp_servers.docs]\nurl = "https://example.com/mcp"\nbearer_token_env_var = "TOKEN"\n
[mcp_servers.files]\ncommand = "npx"\nargs = ["-y", "files"]\nenv_vars = ["PATH_TO"]\n`;
    expect((await read("config.toml", toml)).servers).toEqual([
      {
        name: "docs",
        settings: {
          type: "http",
          url: "https://example.com/mcp",
          headers: { Authorization: `Bearer \${TOKEN}` },
          hosts: [],
        },
      },
      {
        name: "files",
        settings: { ...program, command: "npx", args: ["-y", "files"], passEnv: ["PATH_TO"] },
      },
    ]);
  });

  it("reads opencode's, VS Code's and Zed's", async () => {
    const opencode = `{ // servers
      "mcp": { "a": { "type": "local", "command": ["x", "y"], "environment": { "A": "b" } },
               "b": { "type": "remote", "url": "https://example.com", "enabled": false } } }`;
    expect(await read("opencode.jsonc", opencode)).toEqual({
      servers: [
        { name: "a", settings: { ...program, command: "x", args: ["y"], env: { A: "b" } } },
      ],
      skipped: [{ name: "b", why: "it is disabled there" }],
    });
    const vscode = `{"servers": {"my server": {"command": "x", "args": ["\${workspaceFolder}/a"]}}}`;
    expect((await read("mcp.json", vscode)).servers).toEqual([
      { name: "my-server", settings: { ...program, command: "x", args: ["/project/a"] } },
    ]);
    const zed = '{"context_servers": {"z": {"command": {"path": "x", "args": ["y"], "env": {}}}}}';
    expect((await read("settings.json", zed)).servers).toEqual([
      { name: "z", settings: { ...program, command: "x", args: ["y"] } },
    ]);
  });

  it("leaves out what is not a server", () => {
    expect(readClientServers({ mcpServers: { a: 5, b: {}, "": { command: "x" } } }, "/")).toEqual({
      servers: [],
      skipped: [
        { name: "a", why: "is not a server" },
        { name: "b", why: "it has neither a command nor a URL" },
        { name: "", why: "its name can't be converted to a server name" },
      ],
    });
    expect(readClientServers("nonsense", "/")).toEqual({ servers: [], skipped: [] });
  });

  it.each([
    ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
    ["a link out of it", (path: string) => symlinkSync("../outside.json", path)],
  ])("reads no settings of a workspace that are %s", async (_what, plant) => {
    const directory = mkdtempSync(join(tmpdir(), "haft-import-"));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    writeFileSync(join(directory, "outside.json"), '{"mcpServers":{"canary":{"command":"a"}}}');
    const workspace = join(directory, "workspace");
    mkdirSync(workspace);
    plant(join(workspace, ".mcp.json"));
    const reading = readSettingsFile(join(workspace, ".mcp.json"), workspace);
    await expect(reading).rejects.toThrow(/^it is /u);
    // What is a person's own may be a link.
    symlinkSync("outside.json", join(directory, "own.json"));
    const own = await readSettingsFile(join(directory, "own.json"), workspace);
    expect(own).toHaveProperty("mcpServers.canary");
  });
});
