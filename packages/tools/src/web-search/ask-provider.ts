import { type Net, type NetRequest, type NetResponse, ToolError } from "@haft/contract";
import { isPlainObject } from "@haft/contract/internal";

/** A request to a provider. */
export interface ProviderRequest extends Pick<NetRequest, "url" | "headers"> {
  readonly provider: string;
  /** Sent as JSON with `POST`. Without it, the request is a `GET`. */
  readonly body?: unknown;
  /** What a person should check when the provider refuses the key. */
  readonly remedy: string;
}

/** Sends a request and returns the list at a path of property names in the response. */
export async function askProvider(
  { provider, url, headers = {}, body, remedy }: ProviderRequest,
  path: readonly string[],
  net: Net,
): Promise<readonly FoundFields[]> {
  const response = await net.fetch({
    url,
    maxBytes,
    headers: {
      ...headers,
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
  });
  requireSuccess(response, provider, remedy);
  return listFound(parse(response, provider), path, provider);
}

/** The fields of one result, of any type: they come from the provider. */
export type FoundFields = Readonly<Record<string, unknown>>;

/** Returns the first value that is a non-blank string, or an empty string. */
export function firstText(...values: readonly unknown[]): string {
  const found = values.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof found === "string" ? found : "";
}

const maxBytes = 2 * 1024 * 1024;

function requireSuccess({ status }: NetResponse, provider: string, remedy: string): void {
  if (status >= 200 && status < 300) return;
  throw new ToolError(
    "unavailable",
    status === 401 || status === 403
      ? `${provider} refused the search (status ${status}). ${remedy}`
      : status === 402 || status === 429 || status === 432 || status === 433
        ? `${provider} accepts no more searches at the moment (status ${status}). Wait a little, or check the account's limits.`
        : `${provider} could not search (status ${status}). Try again later.`,
  );
}

function parse({ body, truncated }: NetResponse, provider: string): unknown {
  try {
    if (!truncated) return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Reported below.
  }
  throw notUnderstood(provider);
}

function listFound(answer: unknown, path: readonly string[], provider: string): FoundFields[] {
  if (!isPlainObject(answer)) throw notUnderstood(provider);
  let value: unknown = answer;
  for (const name of path) value = isPlainObject(value) ? value[name] : undefined;
  // Some providers leave the list out if they found nothing.
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw notUnderstood(provider);
  return value.filter(isPlainObject);
}

function notUnderstood(provider: string): ToolError {
  return new ToolError(
    "unavailable",
    `${provider} did not answer with a list of results. Check its address, or try again later.`,
  );
}
