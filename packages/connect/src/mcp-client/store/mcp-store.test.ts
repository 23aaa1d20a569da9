import { fork } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { McpServerEntry } from "./mcp-server-entry.ts";
import { openMcpStore } from "./mcp-store.ts";

function makeDirectory(): string {
  const base = mkdtempSync(join(tmpdir(), "haft-store-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  return join(base, "mcp", "workspace");
}

function entryOf(name: string): McpServerEntry {
  return {
    name,
    settings: { type: "http", url: "https://example.com", headers: {}, hosts: [] },
    tools: [],
  };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe("openMcpStore", () => {
  it("makes nothing before something is stored, and then for its owner only", () => {
    const directory = makeDirectory();
    const store = openMcpStore(directory);
    expect(store.list()).toEqual([]);
    expect(store.remove("a")).toBe(false);
    expect(statSync(directory, { throwIfNoEntry: false })).toBeUndefined();
    store.put(entryOf("a"));
    store.updateCredentials("a", () => ({ tokens: "t" }));
    expect(modeOf(directory)).toBe(0o700);
    expect(modeOf(store.homeOf("a"))).toBe(0o700);
    expect(modeOf(join(directory, "servers.json"))).toBe(0o600);
    expect(modeOf(join(directory, "credentials.json"))).toBe(0o600);
  });

  it("forgets a server with its credentials and its home", () => {
    const store = openMcpStore(makeDirectory());
    store.put(entryOf("a"));
    store.updateCredentials("a", () => ({ tokens: "t" }));
    const home = store.homeOf("a");
    expect(store.remove("a")).toBe(true);
    expect(store.list()).toEqual([]);
    expect(store.readCredentials("a")).toEqual({});
    expect(statSync(home, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("sees what others stored", () => {
    const directory = makeDirectory();
    const [one, other] = [openMcpStore(directory), openMcpStore(directory)];
    one.put(entryOf("a"));
    expect(other.get("a")?.name).toBe("a");
    other.put(entryOf("b"));
    expect(one.list().map(({ name }) => name)).toEqual(["a", "b"]);
    expect(one.get("constructor")).toBeUndefined();
  });

  it("loses nothing that several processes store at once", async () => {
    const directory = makeDirectory();
    const script = fileURLToPath(new URL("../test-support/put-servers.ts", import.meta.url));
    const processes = ["a", "b", "c"].map((name) => fork(script, [directory, name, "15"]));
    const codes = await Promise.all(
      processes.map((child) => new Promise((resolve) => child.on("exit", resolve))),
    );
    expect(codes).toEqual([0, 0, 0]);
    expect(openMcpStore(directory).list()).toHaveLength(45);
    expect(readdirSync(directory)).toEqual(["servers.json"]);
  });

  it("takes over from somebody who died in the middle", () => {
    const directory = makeDirectory();
    const store = openMcpStore(directory);
    store.put(entryOf("a"));
    const lock = join(directory, ".lock");
    writeFileSync(lock, "dead");
    const past = new Date(Date.now() - 60_000);
    utimesSync(lock, past, past);
    store.put(entryOf("b"));
    expect(store.list()).toHaveLength(2);
  });

  it.each(["{", "[]", '{"version":2,"servers":{}}'])("says that %j is damaged", (content) => {
    const directory = makeDirectory();
    const store = openMcpStore(directory);
    store.put(entryOf("a"));
    writeFileSync(join(directory, "servers.json"), content);
    expect(() => store.list()).toThrow("servers.json");
    expect(() => store.put(entryOf("b"))).toThrow("servers.json");
  });
});
