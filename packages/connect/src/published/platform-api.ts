import { type JsonSchema, ToolError } from "@haft/contract";
import { createParser } from "eventsource-parser";

/** Where the platform is, and who asks. */
export interface PlatformPlace {
  readonly url: string;
  readonly apiKey: string;
  /** The key's own unless said. */
  readonly organization?: string;
  readonly fetch?: typeof fetch;
}

/** A tool of the platform's, as far as it matters here. */
export interface PlatformTool {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly deprecated: boolean;
}

/** A version of one. */
export interface PlatformVersion {
  readonly version: { readonly major: number; readonly minor: number; readonly patch: number };
  readonly input_schema: JsonSchema;
}

/** How an invocation ended. */
export type PlatformResult =
  | { readonly succeeded: true; readonly output: string }
  | {
      readonly succeeded: false;
      readonly exception_type: string;
      readonly exception_message: string;
    };

/** What the platform is asked. Each throws a `ToolError` if it can't be. */
export interface PlatformApi {
  findTools(ids: readonly string[]): Promise<readonly PlatformTool[]>;
  /** The highest version that is not deprecated. */
  findVersion(toolId: string, constraint: string | undefined): Promise<PlatformVersion | undefined>;
  invoke(
    place: { readonly toolId: string; readonly version: string },
    body: Readonly<Record<string, unknown>>,
    listen: { onStatus(event: unknown): void; readonly signal: AbortSignal },
  ): Promise<PlatformResult>;
}

/** Opens the way to a platform. */
export async function openPlatformApi(place: PlatformPlace): Promise<PlatformApi> {
  const { apiKey, fetch: send = fetch } = place;
  const url = place.url.replace(/\/+$/u, "");
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { authorization: `Bearer ${apiKey}`, ...(init.headers as object) };
    let response: Response;
    try {
      response = await send(`${url}${path}`, { ...init, headers, redirect: "error" });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new ToolError("unavailable", `Nothing answers at ${url}. Is the platform running?`, {
        cause: error,
      });
    }
    if (!response.ok) throw await explain(response);
    return response;
  };
  const read = async <Body>(path: string): Promise<Body> =>
    (await ask(path)).json() as Promise<Body>;
  const organization =
    place.organization ?? (await read<{ organization: string }>("/v1/whoami")).organization;
  const tools = `/v1/${encodeURIComponent(organization)}/tool`;

  return {
    findTools: async (ids) => {
      const found: PlatformTool[] = [];
      for (let start = 0; start < ids.length; start += mostListed) {
        const query = new URLSearchParams({ limit: `${mostListed}` });
        for (const id of ids.slice(start, start + mostListed)) query.append("id", id);
        found.push(...(await read<{ tools: PlatformTool[] }>(`${tools}/?${query}`)).tools);
      }
      return found;
    },
    findVersion: async (toolId, constraint) => {
      const query = new URLSearchParams({ deprecated: "false", limit: "1" });
      for (const part of ["major", "minor", "patch"]) query.append("sort_by", `-version.${part}`);
      if (constraint !== undefined) query.set("versions", constraint);
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

const mostListed = 20;

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
    throw new ToolError("unavailable", "The platform ended its answer without a result.");
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

// Of a request whose shape is wrong the platform names every field.
function describe(detail: unknown): string {
  if (!Array.isArray(detail)) return "";
  return detail.map(({ loc = [], msg = "" }) => `${loc.join(".")}: ${msg}`).join("; ");
}

function toToolError(status: number, detail: string): ToolError {
  const said = detail === "" ? `It answered ${status}.` : detail;
  if (status === 400 || status === 422) return new ToolError("invalid-arguments", said);
  if (status === 401 || status === 403) {
    return new ToolError("denied", `The platform does not let this key do that: ${said}`);
  }
  return new ToolError("unavailable", `The platform can't do it: ${said}`);
}
