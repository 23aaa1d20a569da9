import { createTokenGuard } from "@haft/computer/internal";
import type { Host, Session } from "@haft/core";
import { listen, type RequestHandler } from "../listen.ts";
import { createServer } from "./server.ts";
import { createWorkbenchHost } from "./workbench-host.ts";
import type { WorkbenchMount } from "./workbench-mount.ts";

/** Options of a workbench. */
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
  /** Default: `127.0.0.1`. */
  readonly hostname?: string;
  /** Other services at their own paths, behind the same token. */
  readonly mounts?: readonly WorkbenchMount[];
}

/** A workbench that is being served. */
export interface Workbench {
  /** Where the page is, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Stops the server and all running calls, and suspends the session. */
  close(): Promise<void>;
}

/** A workbench without a listening socket. */
export interface OpenWorkbench {
  readonly handle: RequestHandler;
  /** Stops all running calls, sends their replies, and suspends the session. */
  close(): Promise<void>;
}

/** Opens a workbench: health, and a workspace's tools over HTTP for a page of the console. */
export async function openWorkbench(
  options: Omit<WorkbenchOptions, "port">,
): Promise<OpenWorkbench> {
  const { version, workspace, hostname = "127.0.0.1", mounts = [] } = options;
  const tokenGuard = createTokenGuard(options.token);
  const host = createWorkbenchHost();
  const session = options.openSession(host);
  const served = { tokenGuard, version, workspace, hostname, mounts };
  const server = await createServer({ session, host, ...served });
  await server.ready();
  return {
    handle: (request, response) => server.routing(request, response),
    close: async () => {
      await server.close();
      // The session has a name, so another process can continue it.
      await session.suspend();
    },
  };
}

/** Serves a workbench on its own port. */
export async function startWorkbench(options: WorkbenchOptions): Promise<Workbench> {
  const workbench = await openWorkbench(options);
  const { hostname = "127.0.0.1", port } = options;
  try {
    const listening = await listen(workbench.handle, { hostname, port });
    return {
      url: listening.url,
      port: listening.port,
      close: async () => {
        await workbench.close();
        await listening.close();
      },
    };
  } catch (error) {
    await workbench.close();
    throw error;
  }
}
