import type { AddressInfo } from "node:net";
import type { Host, Session } from "@haft/core";
import { createServer } from "./server.ts";
import { createWorkbenchHost } from "./workbench-host.ts";
import type { WorkbenchMount } from "./workbench-mount.ts";

/** What a workbench is made of. */
export interface WorkbenchOptions {
  /** Opens the session that the page's calls run in, with the workbench's own host. */
  openSession(host: Host): Session;
  /** The bearer token that every request to the API must carry. */
  readonly token: string;
  readonly version: string;
  /** Shown on the page. */
  readonly workspace: string;
  /** 0 for any free port. */
  readonly port: number;
  /** `127.0.0.1` unless said. */
  readonly hostname?: string;
  /** What else is served here, behind the same token. */
  readonly mounts?: readonly WorkbenchMount[];
}

/** A workbench that is being served. */
export interface Workbench {
  /** Where the page is, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Stops serving and every call under way, and lets go of the session. */
  close(): Promise<void>;
}

/** Serves health, the tools over HTTP, and a page on which a person can run them. */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  requireSendable(options.token);
  const { version, workspace, token, hostname = "127.0.0.1", mounts = [] } = options;
  const host = createWorkbenchHost();
  const session = options.openSession(host);
  const place = { token, version, workspace, hostname, mounts };
  const server = await createServer({ session, host, ...place });
  const close = async (): Promise<void> => {
    await server.close();
    // The session has a name: another process may go on with it.
    await session.suspend();
  };
  try {
    await server.listen({ port: options.port, host: hostname });
  } catch (error) {
    await close();
    throw explain(error, options.port, hostname);
  }
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://${reachable(hostname)}:${port}`, port, close };
}

function requireSendable(token: string): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  throw new TypeError(
    "The token can't be sent in a header: make it of ASCII letters, digits and signs, without spaces.",
  );
}

function explain(error: unknown, port: number, hostname: string): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new Error(
        `Port ${port} on ${hostname} is already in use. Stop what uses it, or choose another port with --port.`,
        { cause: error },
      );
    case "EACCES":
      return new Error(
        `Port ${port} on ${hostname} needs rights that this process does not have. Choose another with --port, above 1023.`,
        { cause: error },
      );
    default:
      return error;
  }
}

// An address that stands for all of the machine's is none that a browser can open.
function reachable(hostname: string): string {
  if (hostname === "0.0.0.0") return "127.0.0.1";
  if (hostname === "::") return "[::1]";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}
