import {
  type AuditClient,
  createAuditClient,
  createKeysClient,
  createRolesClient,
  type KeysClient,
  type RolesClient,
} from "./access.ts";
import { createHistoryClient, type HistoryClient } from "./history.ts";
import { createInboxClient, type InboxClient } from "./inbox.ts";
import { createInvocationsClient, type InvocationsClient } from "./invocations.ts";
import { createMachineClient, type MachineClient } from "./machine.ts";
import { createOrganizationPath } from "./organization-path.ts";
import { createRepositoryClient, type RepositoryClient } from "./repository.ts";
import { createRequester, type Method, type RequestOptions } from "./requester.ts";
import { createSchedulesClient, type SchedulesClient } from "./schedules.ts";
import { createToolSetsClient, type ToolSetsClient } from "./tool-sets.ts";
import { createToolsClient, type ToolsClient } from "./tools.ts";
import { createVersionsClient, type VersionsClient } from "./versions.ts";
import { createWebhooksClient, type WebhooksClient } from "./webhooks.ts";
import type { Whoami } from "./wire-types.ts";

/** Options of a client. */
export interface PlatformClientOptions {
  /** Such as `http://127.0.0.1:7423`. */
  readonly url: string;
  /** An API key, or the token of a sign-in. */
  readonly apiKey: string;
  /** The organization's id. Default: the organization of the key, which the server is asked for. */
  readonly organization?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** A file that was downloaded. */
export interface Download {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string | undefined;
}

/** A client of a platform's API, for Node and browsers. Failures are thrown as `PlatformError`. */
export interface PlatformClient {
  /** The platform's address, without a slash at the end. */
  readonly url: string;
  readonly tools: ToolsClient;
  readonly sets: ToolSetsClient;
  readonly versions: VersionsClient;
  readonly history: HistoryClient;
  readonly invocations: InvocationsClient;
  readonly inbox: InboxClient;
  readonly webhooks: WebhooksClient;
  readonly schedules: SchedulesClient;
  readonly machine: MachineClient;
  readonly repository: RepositoryClient;
  readonly keys: KeysClient;
  readonly roles: RolesClient;
  readonly audit: AuditClient;
  whoami(signal?: AbortSignal): Promise<Whoami>;
  organization(): Promise<string>;
  /** Sends any other request. `{organization}` in the path is replaced by the organization's id. */
  request<Result = unknown>(
    method: Method,
    path: string,
    options?: RequestOptions,
  ): Promise<Result>;
  /** Downloads bytes, such as an archive, with the file name if the server sends one. */
  download(path: string, options?: RequestOptions): Promise<Download>;
}

/**
 * Creates a client of a platform. It sends nothing before it is used.
 *
 * @example
 * ```ts
 * import { createPlatformClient } from "@haft/platform/client";
 *
 * const platform = createPlatformClient({ url: "http://127.0.0.1:7423", apiKey: "haft_…" });
 * const { tools } = await platform.tools.list({ limit: 20 });
 * ```
 */
export function createPlatformClient(options: PlatformClientOptions): PlatformClient {
  const requester = createRequester(options.url, options.apiKey, options.fetch);
  const place = createOrganizationPath(requester, options.organization);
  const fill = async (path: string): Promise<string> =>
    path.includes("{organization}")
      ? path.replace("{organization}", encodeURIComponent(await place.organization()))
      : path;
  return {
    url: requester.server,
    tools: createToolsClient(requester, place),
    sets: createToolSetsClient(requester, place),
    versions: createVersionsClient(requester, place),
    history: createHistoryClient(requester, place),
    invocations: createInvocationsClient(requester, place),
    inbox: createInboxClient(requester, place),
    webhooks: createWebhooksClient(requester, place),
    schedules: createSchedulesClient(requester, place),
    machine: createMachineClient(requester, place),
    repository: createRepositoryClient(requester, place),
    keys: createKeysClient(requester, place),
    roles: createRolesClient(requester, place),
    audit: createAuditClient(requester, place),
    whoami: place.whoami,
    organization: place.organization,
    request: async (method, path, more) => requester.request(method, await fill(path), more),
    download: async (path, more = {}) => {
      const headers = { accept: "*/*", ...more.headers };
      const response = await requester.send("GET", await fill(path), { ...more, headers });
      const [, fileName] =
        /filename="?([^";]+)"?/u.exec(response.headers.get("content-disposition") ?? "") ?? [];
      return { bytes: new Uint8Array(await response.arrayBuffer()), fileName };
    },
  };
}
