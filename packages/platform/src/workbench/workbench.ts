import { createTokenGuard } from "@haft/computer";
import type { Host, Session } from "@haft/core";
import { listen, type RequestHandler } from "../listen.ts";
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

/** A workbench that answers what is handed to it. */
export interface OpenWorkbench {
  readonly handle: RequestHandler;
  /** Stops every call under way, lets replies go out, and lets go of the session. */
  close(): Promise<void>;
}

/** Opens health, the tools over HTTP, and a page on which a person can run them. */
export async function openWorkbench(
  options: Omit<WorkbenchOptions, "port">,
): Promise<OpenWorkbench> {
  const { version, workspace, hostname = "127.0.0.1", mounts = [] } = options;
  const tokenGuard = createTokenGuard(options.token);
  const host = createWorkbenchHost();
  const session = options.openSession(host);
  const place = { tokenGuard, version, workspace, hostname, mounts };
  const server = await createServer({ session, host, ...place });
  await server.ready();
  return {
    handle: (request, response) => server.routing(request, response),
    close: async () => {
      await server.close();
      // The session has a name: another process may go on with it.
      await session.suspend();
    },
  };
}

/** Serves a workbench by itself. */
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
