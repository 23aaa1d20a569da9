import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";

/** What the API refused, in the words that it gave. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Sent with every request: a page of another origin can't, so its requests are refused. */
export const ownHeaders: Readonly<Record<string, string>> = { "x-haft-console": "1" };

/** The API with the types of its own description. Use it through `ask`. */
export const api = createClient<paths>({
  baseUrl: "/",
  headers: ownHeaders,
  credentials: "same-origin",
});

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns what a request answers. Throws an `ApiError` that can be shown. */
export async function ask<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch(() => {
    throw new ApiError(0, "The server does not answer. Is it still running?");
  });
  if (response.ok) return data as Data;
  throw toApiError(response.status, error);
}

/** Returns the error that a response describes. */
export function toApiError(status: number, body: unknown): ApiError {
  const { detail, message } = (body ?? {}) as { detail?: unknown; message?: unknown };
  const text = typeof message === "string" ? message : typeof detail === "string" ? detail : "";
  const error = new ApiError(status, text || `The server answered ${status}.`);
  if (status === 401) for (const listener of lost) listener();
  return error;
}

const lost = new Set<() => void>();

/** Calls a listener when the server no longer accepts the sign-in. */
export function onSignInLost(listener: () => void): () => void {
  lost.add(listener);
  return () => lost.delete(listener);
}
