import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Why a local server refuses a request. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Checks a request before it is handled. */
export type RequestGuard = (request: IncomingMessage) => Refusal | undefined;

/**
 * Creates a guard against requests from other pages: to a name that was made to point here (DNS
 * rebinding), or with a foreign origin.
 */
export function createOriginGuard(hostname: string): RequestGuard {
  const names = ["localhost", "127.0.0.1", "[::1]", toHostName(hostname)];
  return ({ headers: { host = "", origin }, socket }) => {
    const { localPort } = socket;
    if (!names.some((name) => isAddress(host, name, localPort))) {
      const message = `This server is not ${JSON.stringify(host)}: use ${names[1]}:${localPort}.`;
      return { status: 403, message };
    }
    const scheme = "encrypted" in socket ? "https" : "http";
    return origin === undefined || origin === `${scheme}://${host}`
      ? undefined
      : { status: 403, message: "Pages from other origins may not send requests here." };
  };
}

const bearer = /^bearer +(\S+) *$/i;

/** Creates a guard against requests without the token. Throws if no header can carry the token. */
export function createTokenGuard(token: string): RequestGuard {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError(
      "The token can't be sent in a header: use only ASCII letters, digits and punctuation, without spaces.",
    );
  }
  const expected = digest(token);
  return ({ headers: { authorization = "" } }) => {
    const given = bearer.exec(authorization)?.[1];
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined;
    const error = given === undefined ? "" : ', error="invalid_token"';
    return {
      status: 401,
      message: "Send the token that was printed at start: Authorization: Bearer …",
      headers: { "www-authenticate": `Bearer realm="haft"${error}` },
    };
  };
}

function isAddress(host: string, name: string, port: number | undefined): boolean {
  const given = host.toLowerCase();
  return given === `${name}:${port}` || (port === 80 && given === name);
}

function toHostName(hostname: string): string {
  return (hostname.includes(":") ? `[${hostname}]` : hostname).toLowerCase();
}

// Digests have equal length, which the comparison needs, and do not reveal the token's length.
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
