import { type JsonSchema, ToolError } from "@haft/contract";
import { createParser } from "eventsource-parser";

/** The address of a platform and the key to use. */
export interface PlatformConnection {
  readonly url: string;
  readonly apiKey: string;
  /** Default: the organization of the API key. */
  readonly organization?: string;
  readonly fetch?: typeof fetch;
}

/** The used fields of a platform's tool. */
export interface PlatformTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly deprecated: boolean;
}

/** The used fields of a tool's version. */
export interface PlatformVersion {
  readonly version: { readonly major: number; readonly minor: number; readonly patch: number };
  readonly input_schema: JsonSchema;
  /** What it returns, if it declares that. */
  readonly output_schema?: JsonSchema | null;
}

/** How an invocation ended. */
export type PlatformResult =
  | { readonly succeeded: true; readonly output: string }
  | {
      readonly succeeded: false;
      readonly exception_type: string;
      readonly exception_message: string;
    };

/** Requests to the platform. Each throws a `ToolError` if it fails. */
export interface PlatformApi {
  /** Returns the user of the API key. */
  findUserId(): Promise<string>;
  findTools(ids: readonly string[]): Promise<readonly PlatformTool[]>;
  /**
   * Returns the highest version that matches and is not deprecated. Default: the one that `latest`
   * names.
   */
  findVersion(toolId: string, constraint: string | undefined): Promise<PlatformVersion | undefined>;
  invoke(
    target: { readonly toolId: string; readonly version: string },
    body: Readonly<Record<string, unknown>>,
    listen: { onStatus(event: unknown): void; readonly signal: AbortSignal },
  ): Promise<PlatformResult>;
}

/** Creates the client of a platform. */
export async function openPlatformApi(connection: PlatformConnection): Promise<PlatformApi> {
  const { apiKey, fetch: send = fetch } = connection;
  const url = connection.url.replace(/\/+$/u, "");
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      // History shows it as the client.
      "user-agent": "haft-session",
      ...(init.headers as object),
    };
    let response: Response;
    try {
      response = await send(`${url}${path}`, { ...init, headers, redirect: "error" });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new ToolError(
        "unavailable",
        `The platform at ${url} does not respond. Check that it is running.`,
        {
          cause: error,
        },
      );
    }
    if (!response.ok) throw await explain(response);
    return response;
  };
  const read = async <Body>(path: string): Promise<Body> =>
    (await ask(path)).json() as Promise<Body>;
  type Whoami = { readonly organization: string; readonly user_id: string };
  let known: Whoami | undefined;
  const whoami = async (): Promise<Whoami> => {
    known ??= await read<Whoami>("/v1/whoami");
    return known;
  };
  const organization = connection.organization ?? (await whoami()).organization;
  const tools = `/v1/${encodeURIComponent(organization)}/tool`;

  return {
    findUserId: async () => (await whoami()).user_id,
    findTools: async (ids) => {
      const found: PlatformTool[] = [];
      for (let start = 0; start < ids.length; start += maxListed) {
        const query = new URLSearchParams({ limit: `${maxListed}` });
        for (const id of ids.slice(start, start + maxListed)) query.append("id", id);
        found.push(...(await read<{ tools: PlatformTool[] }>(`${tools}/?${query}`)).tools);
      }
      return found;
    },
    findVersion: async (toolId, constraint) => {
      const query = new URLSearchParams({ deprecated: "false", limit: "1" });
      for (const part of ["major", "minor", "patch"]) query.append("sort_by", `-version.${part}`);
      query.set("versions", constraint ?? "latest");
      const path = `${tools}/${toolId}/version?${query}`;
      return (await read<{ tool_versions: PlatformVersion[] }>(path)).tool_versions[0];
    },
    invoke: async ({ toolId, version }, body, { onStatus, signal }) => {
      const response = await ask(`${tools}/${toolId}/version/${version}/invoke`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "text/event-stream" },
        body: JSON.stringify(body),
        signal,
      });
      return readResult(response, onStatus);
    },
  };
}

const maxListed = 20;

async function readResult(
  response: Response,
  onStatus: (event: unknown) => void,
): Promise<PlatformResult> {
  let result: PlatformResult | undefined;
  let failure: ToolError | undefined;
  const parser = createParser({
    onEvent: ({ event, data }) => {
      const value = JSON.parse(data);
      if (event === "status") onStatus(value.event);
      else if (event === "result") result = value.invocation_results?.[0];
      else if (event === "error") failure = toToolError(value.status, value.detail);
    },
  });
  const decoder = new TextDecoder();
  for await (const bytes of response.body as AsyncIterable<Uint8Array>) {
    parser.feed(decoder.decode(bytes, { stream: true }));
  }
  if (failure !== undefined) throw failure;
  if (result === undefined) {
    throw new ToolError(
      "unavailable",
      "The platform closed the connection before it sent a result. Try again.",
    );
  }
  return result;
}

async function explain(response: Response): Promise<ToolError> {
  const text = await response.text().catch(() => "");
  let detail: unknown;
  try {
    detail = (JSON.parse(text) as { detail?: unknown }).detail;
  } catch {
    detail = undefined;
  }
  return toToolError(response.status, typeof detail === "string" ? detail : describe(detail));
}

// For a malformed request the platform reports every field.
function describe(detail: unknown): string {
  if (!Array.isArray(detail)) return "";
  return detail.map(({ loc = [], msg = "" }) => `${loc.join(".")}: ${msg}`).join("; ");
}

function toToolError(status: number, detail: string): ToolError {
  const said = detail === "" ? `HTTP status ${status}.` : detail;
  if (status === 400 || status === 422) return new ToolError("invalid-arguments", said);
  if (status === 401 || status === 403) {
    return new ToolError("denied", `The platform refused this API key: ${said}`);
  }
  return new ToolError("unavailable", `The platform could not run this request: ${said}`);
}
