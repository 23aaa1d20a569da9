import type { ModelFailure } from "./read-failure.ts";

/** Returns how long a provider asks to wait, in milliseconds, if it does. */
export function retryAfter({
  headers,
  data,
}: Pick<ModelFailure, "headers" | "data">): number | undefined {
  const milliseconds = toNumber(headers["retry-after-ms"]);
  if (milliseconds !== undefined) return milliseconds;
  const seconds = headers["retry-after"];
  if (seconds !== undefined) {
    const waited = toNumber(seconds);
    if (waited !== undefined) return waited * 1000;
    // Only a date contains letters; `Date.parse` accepts too much else.
    const until = /[a-z]{3}/iu.test(seconds) ? Date.parse(seconds) : Number.NaN;
    return Number.isNaN(until) ? undefined : Math.max(0, until - Date.now());
  }
  return retryDelayIn(data);
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(?:\.\d+)?\s*$/u.test(text) ? Number(text) : undefined;
}

// Google sends it in the body: `{ error: { details: [{ retryDelay: "37s" }] } }`.
function retryDelayIn(data: unknown): number | undefined {
  const details = (data as { error?: { details?: unknown } } | undefined)?.error?.details;
  if (!Array.isArray(details)) return undefined;
  for (const detail of details as readonly ({ retryDelay?: unknown } | null)[]) {
    const delay = detail?.retryDelay;
    const seconds = typeof delay === "string" ? toNumber(delay.replace(/s$/u, "")) : undefined;
    if (seconds !== undefined) return seconds * 1000;
  }
  return undefined;
}
