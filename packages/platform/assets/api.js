// @ts-check

/**
 * @typedef {{
 *   type?: string | string[], description?: string, properties?: Record<string, Schema>,
 *   required?: string[], enum?: unknown[], default?: unknown, minLength?: number,
 *   minimum?: number, maximum?: number,
 * }} Schema
 * @typedef {{ name: string, description: string, kind: string, input_schema: Schema }} Tool
 * @typedef {{
 *   duration_ms: number, truncated?: true, output_path?: string, error_code?: string,
 *   absolute_path?: string, track_files?: string[], isolation?: string, warnings?: string[],
 * }} Metadata
 * @typedef {{ type: "output", data: unknown, metadata: Metadata }
 *   | { type: "error", error_text: string, metadata: Metadata }} Result
 * @typedef {{ name: string, arguments: unknown, approve?: boolean | Approval }} CallRequest
 * @typedef {{ tool: string, arguments: unknown, reason: string }} Approval
 * @typedef {{ id: string, result: Result, approval?: Approval }} CallReply
 * @typedef {{
 *   id: string, name: string, arguments: string, state: string, ended_at: string,
 *   metadata: Metadata, error_text?: string,
 * }} RecentCall
 * @typedef {{ version: string, workspace: string, missing: string[] }} Status
 */

const storageKey = "haft-token";

/** The server does not know the token. */
export class UnauthorizedError extends Error {}

/** @returns {Promise<Status>} */
export const getStatus = () => request("/api/status");

/** @returns {Promise<Tool[]>} */
export const getTools = () => request("/api/tools");

/** @returns {Promise<RecentCall[]>} */
export const getCalls = () => request("/api/calls");

/**
 * Makes a call; aborting the signal stops it on the server too.
 * @param {CallRequest} call
 * @param {AbortSignal} signal
 * @returns {Promise<CallReply>}
 */
export function postCall(call, signal) {
  const headers = { "content-type": "application/json" };
  return request("/api/calls", { method: "POST", headers, body: JSON.stringify(call), signal });
}

export function hasToken() {
  return sessionStorage.getItem(storageKey) !== null;
}

export function forgetToken() {
  sessionStorage.removeItem(storageKey);
}

/**
 * Keeps a token, which may come as the whole link that carries it.
 * @param {string} text
 */
export function keepToken(text) {
  const [, inLink] = /#token=([^&]+)/.exec(text) ?? [];
  const token = inLink === undefined ? text.trim() : decode(inLink);
  sessionStorage.setItem(storageKey, token);
}

/** Moves a token from the address bar, where it would be seen and shared, to this tab's storage. */
export function takeTokenFromAddress() {
  if (!location.hash.startsWith("#token=")) return false;
  keepToken(location.hash);
  history.replaceState(null, "", location.pathname + location.search);
  return true;
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 */
async function request(path, options = {}) {
  const authorization = `Bearer ${sessionStorage.getItem(storageKey)}`;
  const response = await fetch(path, {
    ...options,
    headers: { ...options.headers, authorization },
  });
  if (response.status === 401) throw new UnauthorizedError("The token was not accepted.");
  const body = await response.json();
  if (!response.ok) throw new Error(body.error?.message ?? `The server said ${response.status}.`);
  return body;
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign of its own: then nothing was encoded.
    return text;
  }
}
