import type { OrganizationPath } from "./organization-path.ts";
import type { OnEvent, Requester } from "./requester.ts";
import type {
  Canary,
  InvocationInput,
  InvocationResults,
  LatestMove,
  LatestVersion,
  NewCanary,
  Publication,
  Published,
  ShadowReport,
  ShadowRequest,
  TestRequest,
  VersionPage,
  VersionQuery,
} from "./wire-types.ts";

/** A step on the way to a version. */
export interface PublishProgress {
  readonly state: string;
  /** One line for a person. */
  readonly message: string;
}

/** Who listens while something is published or tested. */
export interface PublishListener {
  onProgress?(progress: PublishProgress): void;
  /** A line that a check or the build printed. */
  onLog?(line: string): void;
  readonly signal?: AbortSignal;
}

/** How to invoke. */
export interface InvokeOptions {
  readonly idempotencyKey?: string;
  /** Is told what a tool says while it runs: which input, and what. */
  onStatus?(status: { readonly index: number; readonly event: unknown }): void;
  /** Whether results have `logs`, if the key may read history. Default: false. */
  readonly withLogs?: boolean;
  readonly signal?: AbortSignal;
}

/** Options of a shadow run. */
export interface ShadowOptions {
  onProgress?(progress: { readonly done: number; readonly total: number }): void;
  /** No more inputs are run once it aborts. */
  readonly signal?: AbortSignal;
}

/** Results, and the version that gave them. */
export interface Invoked {
  readonly body: InvocationResults;
  /** `1.2.3` */
  readonly version: string | null;
}

/** A tool's versions. */
export interface VersionsClient {
  list(toolId: string, query?: VersionQuery): Promise<VersionPage>;
  /** `versions` is a constraint, such as `>=1.0,<2`. */
  deprecate(toolId: string, versions: string): Promise<void>;
  publish(toolId: string, publication: Publication, listener?: PublishListener): Promise<Published>;
  /** Which version `latest` names, its last moves, and the tool's canary. */
  latest(toolId: string): Promise<LatestVersion>;
  /** Lets `latest` name this version, which is exact. */
  promote(toolId: string, version: string): Promise<LatestMove>;
  /** Lets `latest` name the version that it named before. */
  rollback(toolId: string): Promise<LatestMove>;
  /** Restores a deprecated version, which is exact. */
  restore(toolId: string, version: string): Promise<void>;
  /** Sends a part of the calls of `latest` to another version. */
  startCanary(toolId: string, canary: NewCanary): Promise<Canary>;
  stopCanary(toolId: string): Promise<void>;
  /** Runs recorded inputs against a version in simulation mode and compares the results. */
  shadow(toolId: string, request: ShadowRequest, options?: ShadowOptions): Promise<ShadowReport>;
  /** `version` is exact, `latest` or a constraint. */
  invoke(
    target: { readonly toolId: string; readonly version: string },
    inputs: readonly InvocationInput[],
    options?: InvokeOptions,
  ): Promise<Invoked>;
  /** Runs what is on a branch, without publishing it. */
  test(request: TestRequest, listener?: PublishListener): Promise<InvocationResults>;
}

/** Makes the part of the client that is about versions. */
export function createVersionsClient(
  requester: Requester,
  place: OrganizationPath,
): VersionsClient {
  return {
    list: async (toolId, query) =>
      requester.request("GET", await place.path("tool", toolId, "version"), { query: query ?? {} }),
    deprecate: async (toolId, versions) =>
      requester.request("DELETE", await place.path("tool", toolId, "version", versions)),
    publish: async (toolId, body, listener = {}) => {
      const path = await place.path("tool", toolId, "version");
      const request = { method: "POST", path, body, signal: listener.signal } as const;
      return (await requester.follow<Published>(request, toProgress(listener))).result;
    },
    latest: async (toolId) => requester.request("GET", await place.path("tool", toolId, "latest")),
    promote: async (toolId, version) =>
      requester.request("POST", await place.path("tool", toolId, "latest"), { body: { version } }),
    rollback: async (toolId) =>
      requester.request("POST", await place.path("tool", toolId, "latest", "rollback")),
    restore: async (toolId, version) =>
      requester.request("POST", await place.path("tool", toolId, "version", version, "restore")),
    startCanary: async (toolId, body) =>
      requester.request("POST", await place.path("tool", toolId, "canary"), { body }),
    stopCanary: async (toolId) =>
      requester.request("DELETE", await place.path("tool", toolId, "canary")),
    shadow: async (toolId, body, { onProgress, signal } = {}) => {
      const path = await place.path("tool", toolId, "shadow");
      const onEvent: OnEvent | undefined =
        onProgress &&
        ((_event, data) => onProgress(toStatus(data).event as Parameters<typeof onProgress>[0]));
      const request = { method: "POST", path, body, signal } as const;
      return (await requester.follow<ShadowReport>(request, onEvent)).result;
    },
    invoke: async ({ toolId, version }, inputs, options = {}) => {
      const path = await place.path("tool", toolId, "version", version, "invoke");
      const { idempotencyKey, onStatus, withLogs, signal } = options;
      const query = withLogs === true ? { with_logs: true } : {};
      const headers: Record<string, string> =
        idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
      const request = { method: "POST", path, query, body: { inputs }, headers, signal } as const;
      const onEvent: OnEvent | undefined =
        onStatus && ((event, data) => event === "status" && onStatus(toStatus(data)));
      const { result, headers: answered } = await requester.follow<InvocationResults>(
        request,
        onEvent,
      );
      return { body: result, version: answered.get("x-tool-version") };
    },
    test: async (body, listener = {}) => {
      const path = await place.path("tool", "test");
      const request = { method: "POST", path, body, signal: listener.signal } as const;
      return (await requester.follow<InvocationResults>(request, toProgress(listener))).result;
    },
  };
}

function toProgress({ onProgress, onLog }: PublishListener): OnEvent {
  return (event, data) => {
    if (event === "progress") onProgress?.(data as PublishProgress);
    else if (event === "log") onLog?.(readLine(data));
  };
}

function readLine(data: unknown): string {
  if (typeof data === "string") return data;
  const { line } = data as { readonly line?: unknown };
  return typeof line === "string" ? line : JSON.stringify(data);
}

function toStatus(data: unknown): { readonly index: number; readonly event: unknown } {
  const { input_index: index, event } = data as {
    readonly input_index: number;
    readonly event: unknown;
  };
  return { index, event };
}
