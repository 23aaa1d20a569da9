import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDiskComputer, type DiskComputer } from "@haft/computer";
import type { Tool } from "@haft/contract";
import {
  type Clock,
  createRegistry,
  createScriptedHost,
  createSession,
  type Host,
  type Session,
} from "@haft/core";
import { systemClock } from "@haft/core/internal";
import { onTestFinished } from "vitest";
import { addToolSource } from "../../tool-source.ts";
import { pinTool } from "../definition/settle-pins.ts";
import { inspectServer } from "../servers/inspect-server.ts";
import { type McpServers, openMcpServers } from "../servers/open-mcp-servers.ts";
import type { McpServerEntry, ServerSettings, StdioSettings } from "../store/mcp-server-entry.ts";
import { type McpStore, openMcpStore } from "../store/mcp-store.ts";
import { type Guard, type GuardedServer, startGuardedServer } from "./guarded-server.ts";

/** A workspace of a test's own, with servers. */
export interface TestServers {
  readonly computer: DiskComputer;
  readonly store: McpStore;
  readonly root: string;
  readonly warnings: string[];
  /** Adds a server as `haft mcp add` does: what it offers is accepted. */
  add(name: string, settings: ServerSettings): Promise<McpServerEntry>;
  open(
    clock?: Clock,
    host?: Host,
    tools?: readonly Tool[],
  ): Promise<{ readonly servers: McpServers; readonly session: Session }>;
}

/** Options of a workspace with test servers. */
export interface TestServersOptions {
  readonly sandbox?: "auto" | "off";
  readonly timeoutMs?: number;
}

/** Makes a workspace; servers in it run as the machine lets them, in a sandbox if it has one. */
export function useServers({
  sandbox = "off",
  timeoutMs = 10_000,
}: TestServersOptions = {}): TestServers {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "haft-mcp-")));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "workspace");
  mkdirSync(root);
  const computer = createDiskComputer({
    workspace: root,
    stateDirectory: join(base, "state"),
    home: join(base, "home"),
    sandbox,
  });
  const store = openMcpStore(join(base, "state", "mcp", "test"));
  const warnings: string[] = [];
  return {
    computer,
    store,
    root,
    warnings,
    add: async (name, settings) => {
      const entry: McpServerEntry = { name, settings, tools: [] };
      const { tools, isLegacy } = await inspectServer(entry, { computer, store, timeoutMs });
      const accepted = tools.map((tool) => pinTool(tool, "accepted"));
      store.put({ ...entry, tools: accepted, legacy: isLegacy });
      return store.get(name) as McpServerEntry;
    },
    open: async (clock = systemClock, host = createScriptedHost({ ask: "once" }), tools = []) => {
      const warn = (message: string): void => void warnings.push(message);
      const servers = await openMcpServers({ computer, store, warn, clock, timeoutMs });
      onTestFinished(() => servers.close());
      const registry = createRegistry(tools);
      addToolSource(registry, servers, warn);
      return { servers, session: createSession({ registry, computer, host }) };
    },
  };
}

/** A server on the net, which goes when the test ends. */
export async function useGuardedServer(guard?: Guard): Promise<GuardedServer> {
  const server = await startGuardedServer(guard);
  onTestFinished(() => server.close());
  return server;
}

/** The fixture that misbehaves in a given manner. */
export function fixtureServer(manner: string, ...more: readonly string[]): StdioSettings {
  const script = fileURLToPath(new URL("./fixture-server.mjs", import.meta.url));
  return programSettings(process.execPath, [script, manner, ...more]);
}

/** A program that may do what servers may unless somebody says otherwise. */
export function programSettings(command: string, args: readonly string[]): StdioSettings {
  return { type: "stdio", command, args, env: {}, passEnv: [], reads: [], hosts: [] };
}
