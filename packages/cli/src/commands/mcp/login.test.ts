import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Io } from "../../io.ts";
import { main } from "../../main.ts";

const script = fileURLToPath(
  new URL("../../../../connect/src/mcp-client/test-support/serve-guarded.ts", import.meta.url),
);

async function startGuarded(guard: object): Promise<{ url: string; server: ChildProcess }> {
  const server = fork(script, [JSON.stringify(guard)]);
  onTestFinished(() => void server.kill());
  const [url] = await once(server, "message");
  return { url, server };
}

/** Somebody at a terminal without a desktop who copies every address into a browser. */
function sitDown() {
  const base = mkdtempSync(join(tmpdir(), "haft-login-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const directory = join(base, "workspace");
  mkdirSync(directory);
  let shown = "";
  const show = (text: string): void => {
    shown += text;
    const [, url] = /^ {2}(http\S+)$/mu.exec(text) ?? [];
    if (url !== undefined) void fetch(url);
  };
  const io: Io = {
    out: show,
    error: show,
    readInput: async () => "",
    readLine: async () => "y",
    environment: { HAFT_HOME: join(base, "state") },
    directory,
    interactive: false,
    outputIsTerminal: true,
    signal: new AbortController().signal,
  };
  const haft = async (...words: string[]): Promise<string> => {
    shown = "";
    const exitCode = await main(words, io);
    return `${shown}exit ${exitCode}\n`;
  };
  return { haft, state: join(base, "state") };
}

describe("haft mcp login", () => {
  it("lets a person log in to a server that was added, and shows no token", async () => {
    const { url, server } = await startGuarded({ oauth: true });
    const { haft } = sitDown();
    const added = await haft("mcp", "add", "s", url);
    expect(added).toContain("because it requires a login. Log in with: haft mcp login s");
    const before = await haft("mcp", "test", "s");
    expect(before).toContain("haft mcp login s");
    expect(before).toContain("exit 16");
    const login = await haft("mcp", "login", "s", "--yes");
    expect(login).toContain("logged in to s");
    expect(login).toContain("Accepted the tools of s.\nexit 0");
    const tested = await haft("mcp", "test", "s");
    expect(tested).toMatch(/mcp__s__echo {2}Says it\.\nexit 0/u);
    expect(`${login}${tested}`).not.toContain("refresh-1");
    server.send("counts");
    const [counts] = await once(server, "message");
    expect(counts).toEqual({ authorized: 1, registered: 1, refreshed: 0 });
  });

  it("says why a login failed", async () => {
    const { url } = await startGuarded({ token: "fixed" });
    const { haft } = sitDown();
    await haft("mcp", "add", "s", url);
    const login = await haft("mcp", "login", "s");
    expect(login).toMatch(/^haft: Logging in to the MCP server s failed: .*--header/u);
    expect(login).toContain("[failed]\nexit 1");
  });

  it("keeps what it is told outside of the workspace", async () => {
    const { url } = await startGuarded({ token: "fixed" });
    const { haft, state } = sitDown();
    const header = "Authorization: Bearer fixed";
    const added = await haft("mcp", "add", "s", url, "--header", header, "--yes");
    expect(added).toContain("Added s.");
    expect(added).not.toContain("fixed");
    const file = findFile(join(state, "mcp"));
    expect(readFileSync(file, "utf8")).toContain("Bearer fixed");
  });
});

function findFile(directory: string): string {
  const [workspace] = readdirSync(directory);
  return join(directory, workspace as string, "servers.json");
}
