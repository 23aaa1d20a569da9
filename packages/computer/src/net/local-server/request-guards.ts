import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Why a request to a server of ours is not let in. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Looks at a request before anything of it is done. */
export type RequestGuard = (request: IncomingMessage) => Refusal | undefined;

/**
 * Makes what refuses requests that another page may have sent: to a name that was made to point here
 * (DNS rebinding), or with an origin that is not our own.
 */
export function createOriginGuard(hostname: string): RequestGuard {
  const names = ["localhost", "127.0.0.1", "[::1]", toHostName(hostname)];
  return ({ headers: { host = "", origin }, socket: { localPort } }) => {
    if (!names.some((name) => isAddress(host, name, localPort))) {
      const message = `This is not ${JSON.stringify(host)}: use ${names[1]}:${localPort}.`;
      return { status: 403, message };
    }
    return origin === undefined || origin === `http://${host}`
      ? undefined
      : { status: 403, message: "Other pages may not send requests here." };
  };
}

const bearer = /^bearer +(\S+) *$/i;

/** Makes what refuses requests without the token. One that no header can carry throws. */
export function createTokenGuard(token: string): RequestGuard {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError(
      "The token can't be sent in a header: make it of ASCII letters, digits and signs, without spaces.",
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

// Digests are of one length, which the comparison needs, and tell nothing of the token's.
function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
