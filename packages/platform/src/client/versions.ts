import type { OrganizationPath } from "./organization-path.ts";
import type { OnEvent, Requester } from "./requester.ts";
import type {
  InvocationInput,
  InvocationResults,
  Publication,
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
  publish(
    toolId: string,
    publication: Publication,
    listener?: PublishListener,
  ): Promise<{ readonly new_version: string }>;
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
      type Published = { readonly new_version: string };
      return (await requester.follow<Published>(request, toProgress(listener))).result;
    },
    invoke: async ({ toolId, version }, inputs, options = {}) => {
      const path = await place.path("tool", toolId, "version", version, "invoke");
      const { idempotencyKey, onStatus, signal } = options;
      const headers: Record<string, string> =
        idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey };
      const request = { method: "POST", path, body: { inputs }, headers, signal } as const;
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
