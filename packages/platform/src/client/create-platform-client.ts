import {
  createKeysClient,
  createRolesClient,
  type KeysClient,
  type RolesClient,
} from "./access.ts";
import { createHistoryClient, type HistoryClient } from "./history.ts";
import { createOrganizationPath } from "./organization-path.ts";
import { createRepositoryClient, type RepositoryClient } from "./repository.ts";
import { createRequester, type Method, type RequestOptions } from "./requester.ts";
import { createToolsClient, type ToolsClient } from "./tools.ts";
import { createVersionsClient, type VersionsClient } from "./versions.ts";
import type { Whoami } from "./wire-types.ts";

/** Which platform, and who asks. */
export interface PlatformClientOptions {
  /** Such as `http://127.0.0.1:7423`. */
  readonly url: string;
  /** An API key, or the token of a sign-in. */
  readonly apiKey: string;
  /** The organization's id; the server knows whose key it is where this is left out. */
  readonly organization?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** A file that was downloaded. */
export interface Download {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly fileName: string | undefined;
}

/** Talks to a platform over HTTP, in Node and in browsers. Whatever fails is a `PlatformError`. */
export interface PlatformClient {
  /** Where the platform is, without a slash at the end. */
  readonly url: string;
  readonly tools: ToolsClient;
  readonly versions: VersionsClient;
  readonly history: HistoryClient;
  readonly repository: RepositoryClient;
  readonly keys: KeysClient;
  readonly roles: RolesClient;
  whoami(signal?: AbortSignal): Promise<Whoami>;
  organization(): Promise<string>;
  /** Anything else; `{organization}` in the path is the organization's id. */
  request<Result = unknown>(
    method: Method,
    path: string,
    options?: RequestOptions,
  ): Promise<Result>;
  /** Bytes, such as an archive, and the file's name where the server says one. */
  download(path: string, options?: RequestOptions): Promise<Download>;
}

/** Makes a client; nothing is sent before it is used. */
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
    versions: createVersionsClient(requester, place),
    history: createHistoryClient(requester, place),
    repository: createRepositoryClient(requester, place),
    keys: createKeysClient(requester, place),
    roles: createRolesClient(requester, place),
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
