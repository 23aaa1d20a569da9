import { type Net, type NetRequest, type NetResponse, ToolError } from "@haft/contract";

/** How a provider is asked. */
export interface ProviderRequest extends Pick<NetRequest, "url" | "headers"> {
  readonly provider: string;
  /** Sent as JSON; asked for with `GET` if absent. */
  readonly body?: unknown;
  /** What a person has to see to when the provider turns us away. */
  readonly remedy: string;
}

/** Asks a provider and gives the list in its answer, found by the names that lead there. */
export async function askProvider(
  { provider, url, headers = {}, body, remedy }: ProviderRequest,
  path: readonly string[],
  net: Net,
): Promise<readonly FoundFields[]> {
  const response = await net.fetch({
    url,
    maxBytes: mostBytes,
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

/** The fields of one result, whatever a provider put into them. */
export type FoundFields = Readonly<Record<string, unknown>>;

/** The first of these values that is a text with something in it. */
export function firstText(...values: readonly unknown[]): string {
  const found = values.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof found === "string" ? found : "";
}

const mostBytes = 2 * 1024 * 1024;

function requireSuccess({ status }: NetResponse, provider: string, remedy: string): void {
  if (status >= 200 && status < 300) return;
  throw new ToolError(
    "unavailable",
    status === 401 || status === 403
      ? `${provider} refused the search (status ${status}). ${remedy}`
      : status === 402 || status === 429 || status === 432 || status === 433
        ? `${provider} takes no more searches for now (status ${status}). Wait a little, or look at the account's limits.`
        : `${provider} could not search (status ${status}). Try again later.`,
  );
}

function parse({ body, truncated }: NetResponse, provider: string): unknown {
  try {
    if (!truncated) return JSON.parse(new TextDecoder().decode(body));
  } catch {
    // Said below.
  }
  throw notUnderstood(provider);
}

function listFound(answer: unknown, path: readonly string[], provider: string): FoundFields[] {
  if (!isObject(answer)) throw notUnderstood(provider);
  let value: unknown = answer;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  // Who found nothing may leave the list out.
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw notUnderstood(provider);
  return value.filter(isObject);
}

function isObject(value: unknown): value is FoundFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notUnderstood(provider: string): ToolError {
  return new ToolError(
    "unavailable",
    `${provider} answered with something that is no list of results. Check its address, or try again later.`,
  );
}
