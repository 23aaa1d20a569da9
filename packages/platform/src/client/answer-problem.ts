import { type FieldProblem, PlatformError } from "./platform-error.ts";

/** Creates the error for an unsuccessful response. */
export async function toPlatformError(response: Response, server: string): Promise<PlatformError> {
  const { status } = response;
  const body = await response.text().catch(() => "");
  const { detail, fields } = readDetail(body);
  const retryAfterSeconds = readRetryAfter(response.headers.get("retry-after"));
  const told = detail ?? `${server} answered ${status} ${response.statusText}`.trimEnd();
  return new PlatformError(status, withRemedy(status, told, retryAfterSeconds), {
    fields,
    retryAfterSeconds,
  });
}

/** Creates the error for a missing response. An abort by the caller is returned unchanged. */
export function toUnreachable(error: unknown, server: string): unknown {
  if (error instanceof Error && ["AbortError", "TimeoutError"].includes(error.name)) return error;
  const cause = (error as { readonly cause?: unknown } | undefined)?.cause;
  const { code, message } = (cause ?? error) as {
    readonly code?: string;
    readonly message?: string;
  };
  const why = code ?? message;
  const sentence =
    why === undefined || why === "ECONNREFUSED"
      ? `Nothing answers at ${server}. Start the platform with: haft serve`
      : `${server} can't be reached (${why}). Check the address, and that the platform is running: haft serve`;
  return new PlatformError(0, sentence, { cause: error });
}

/** Parses the body of an error response. */
export function readDetail(body: string): {
  readonly detail: string | undefined;
  readonly fields: readonly FieldProblem[];
} {
  const detail = parseDetail(body);
  if (typeof detail === "string") return { detail, fields: [] };
  if (!Array.isArray(detail)) return { detail: undefined, fields: [] };
  const fields = detail.filter(isField);
  const told = fields.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
  return { detail: told === "" ? undefined : told, fields };
}

function parseDetail(body: string): unknown {
  try {
    return (JSON.parse(body) as { readonly detail?: unknown } | null)?.detail;
  } catch {
    return undefined;
  }
}

function isField(value: unknown): value is FieldProblem {
  const field = value as Partial<FieldProblem> | null;
  return typeof field?.msg === "string" && Array.isArray(field.loc);
}

// The header may also be a date.
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/u.test(header)
    ? Number(header)
    : Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

function withRemedy(status: number, detail: string, retryAfter: number | undefined): string {
  if (status === 401) {
    return `${detail} Check the API key: it may be mistyped, expired, deleted or another server's.`;
  }
  if (status === 429 && retryAfter !== undefined) {
    return `${detail} Try again in ${retryAfter} s.`;
  }
  return detail;
}
