import { createGuardedFetch } from "@haft/computer";
import type { Isolation } from "@haft/contract";
import type { FetchLike } from "@modelcontextprotocol/client";
import { connectMcp, type McpConnection } from "../connection/connect-mcp.ts";
import { createStoredOAuth } from "../oauth/stored-oauth.ts";
import type { HttpSettings, McpServerEntry, StdioSettings } from "../store/mcp-server-entry.ts";
import type { McpStore } from "../store/mcp-store.ts";
import { HttpTransport, limitFetch } from "../transport/http-transport.ts";
import { type ProgramStarter, ProgramTransport } from "../transport/program-transport.ts";
import type { ServerTransport } from "../transport/server-transport.ts";
import { expandVariables } from "./expand-variables.ts";
import { toServerProgram } from "./server-program.ts";

/** What servers of programs need of a computer. */
export interface McpComputer extends ProgramStarter {
  readonly roots: readonly string[];
  readonly home: string | undefined;
  readonly shellIsolation: Isolation;
}

/** Where servers are connected from. */
export interface ServerPlace {
  readonly computer: McpComputer;
  readonly store: McpStore;
  /** Where `passEnv` and headers get their variables from; this process's unless said. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Programs may write nothing but at their own homes. */
  readonly readOnly?: boolean;
  /** How long servers may take to answer the greeting: ten seconds unless said. */
  readonly patienceMs?: number;
}

/** How one connection is to be. */
export interface ServerConnect {
  readonly signal?: AbortSignal;
  /** Asks a server anew which era of the protocol it speaks. */
  readonly probe?: boolean;
  onToolsChanged?(): void;
  readonly onIsolation?: ((isolation: Isolation, warning: string | undefined) => void) | undefined;
  /** Is told what was taken away from a program when it had ended. */
  readonly onNote?: ((note: string) => void) | undefined;
}

/** Connects to a server as it is stored. */
export function connectServer(
  entry: McpServerEntry,
  place: ServerPlace,
  { signal, probe, onToolsChanged, onIsolation, onNote }: ServerConnect = {},
): Promise<McpConnection> {
  const { settings } = entry;
  return connectMcp({
    name: entry.name,
    // Of a pipe the question costs a process now and then, of a server on the net next to nothing.
    legacy: settings.type === "stdio" && probe !== true && entry.legacy,
    signal,
    patienceMs: place.patienceMs,
    ...(onToolsChanged && { onToolsChanged }),
    createTransport: async () => {
      if (settings.type === "http") return openHttp(entry.name, settings, place);
      return openProgram(entry.name, settings, { ...place, onIsolation, onNote });
    },
  });
}

async function openHttp(
  name: string,
  settings: HttpSettings,
  place: ServerPlace,
): Promise<HttpTransport> {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const url = new URL(settings.url);
  const fetch = limitFetch(createServerFetch(settings));
  const authProvider = createStoredOAuth(name, settings, place.store);
  const inner = new StreamableHTTPClientTransport(url, {
    fetch,
    requestInit: { headers: readHeaders(settings, place.environment ?? process.env) },
    // Nobody has logged in: then a server that wants to know who asks is not to be answered here.
    ...(authProvider.isLoggedIn() && { authProvider }),
  });
  return new HttpTransport(inner);
}

/** How to fetch from a server: its own host was named by a person, and may be private. */
export function createServerFetch({ url, hosts }: Pick<HttpSettings, "url" | "hosts">): FetchLike {
  const { hostname, port, protocol } = new URL(url);
  const own = `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
  return createGuardedFetch({ allowedHosts: [own, ...hosts] });
}

/** The headers that a server is to get, with the values that they have now. */
export function readHeaders(
  { headers }: Pick<HttpSettings, "headers">,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return expandVariables(headers, environment);
}

function openProgram(
  name: string,
  settings: StdioSettings,
  { computer, store, environment, readOnly, onIsolation, onNote }: ServerPlace & ServerConnect,
): ServerTransport {
  const program = toServerProgram(settings, {
    roots: computer.roots,
    personHome: computer.home,
    home: store.homeOf(name),
    storeDirectory: store.directory,
    environment: environment ?? process.env,
    readOnly,
  });
  const starter: ProgramStarter = {
    startProgram: async (start) => {
      const started = await computer.startProgram(start);
      onIsolation?.(started.isolation, started.warning);
      void started.ended.then(({ notes }) => {
        for (const note of notes) onNote?.(note);
      });
      return started;
    },
  };
  return new ProgramTransport(starter, program);
}
