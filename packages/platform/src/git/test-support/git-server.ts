import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { RawRoute } from "../../api/route.ts";
import type { Principal } from "../../auth/principal.ts";
import type { AuditEntry } from "../../operations/audit.ts";
import { defaultSettings, type PlatformSettings } from "../../platform-settings.ts";
import { type OpenRepositories, openRepositories } from "../open-repositories.ts";
import { repositoryRoutes } from "../repository-routes.ts";

export const organization = "64b7f0c2a1d3e4f5a6b7c8d9";
export const otherOrganization = "64b7f0c2a1d3e4f5a6b7c8da";
export const password = "a-password-for-tests";
export const release: string = `releases/${organization}`;

/** Repositories behind a small HTTP server that knows one password. */
export interface TestGitServer {
  readonly origin: string;
  /** The remote, with the password in it. */
  readonly remote: string;
  readonly repositories: OpenRepositories;
  /** What was recorded, with what failed without an answer. */
  readonly audited: (AuditEntry & { readonly organization: string })[];
  readonly failures: unknown[];
  remoteOf(organization: string): string;
  close(): Promise<void>;
}

/** Serves the repositories in a directory until `close`. */
export async function startGitServer(
  directory: string,
  settings: Partial<PlatformSettings> = {},
): Promise<TestGitServer> {
  const audited: TestGitServer["audited"] = [];
  const failures: unknown[] = [];
  const repositories = await openRepositories(
    {
      settings: { ...defaultSettings, ...settings },
      audit: {
        record: async () => undefined,
        recordAlone: async ({ organization }, entry) => {
          audited.push({ ...entry, organization });
        },
      },
    },
    { directory },
  );
  const [route] = repositoryRoutes(repositories);
  const server = createServer((request, response) => {
    answer(request, response, route as RawRoute).catch((error: unknown) => {
      failures.push(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const remoteOf = (id: string): string =>
    `http://${id}_user:${password}@127.0.0.1:${port}/v1/${id}/tool/git`;
  return {
    origin: `http://127.0.0.1:${port}`,
    remote: remoteOf(organization),
    remoteOf,
    repositories,
    audited,
    failures,
    close: async () => {
      await repositories.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The principal of an organization in tests. */
export function toPrincipal(id: string): Principal {
  return { organization: id, userId: "user", keyId: "key", role: "tester", may: () => true };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  route: RawRoute,
): Promise<void> {
  const [, id = "", rest] =
    /^\/v1\/([0-9a-f]{24})\/tool\/git\/([^?]*)/.exec(request.url ?? "") ?? [];
  if (rest === undefined) {
    response.writeHead(404).end();
    return;
  }
  const expected = Buffer.from(`${id}_user:${password}`).toString("base64");
  if (request.headers.authorization !== `Basic ${expected}`) {
    response.writeHead(401, { "www-authenticate": 'Basic realm="haft"' }).end();
    return;
  }
  await route.handleRaw(request, response, {
    principal: toPrincipal(id),
    params: { organization: id, "*": decodeURIComponent(rest) },
  });
}
