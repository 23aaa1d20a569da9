import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** Why a request is not let in. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Who may come in: where this is served, and the token that must be brought, if one must. */
export interface GuardOptions {
  readonly hostname: string;
  readonly token?: string;
}

/**
 * Makes what refuses requests that another page may have sent, to a name that was made to point
 * here or with an origin that is not our own, and those without the token.
 */
export function createRequestGuard({
  hostname,
  token,
}: GuardOptions): (request: IncomingMessage) => Refusal | undefined {
  const names = ["localhost", "127.0.0.1", "[::1]", toHostName(hostname)];
  const expected = token === undefined ? undefined : digest(token);
  return ({ headers, socket: { localPort } }) => {
    const { host = "", origin } = headers;
    if (!names.some((name) => isAddress(host, name, localPort))) {
      const message = `This is not ${JSON.stringify(host)}: use ${names[1]}:${localPort}.`;
      return { status: 403, message };
    }
    if (origin !== undefined && origin !== `http://${host}`) {
      return { status: 403, message: "Other pages may not send requests here." };
    }
    return expected === undefined ? undefined : refuseWithout(expected, headers);
  };
}

const bearer = /^bearer +(\S+) *$/i;

function refuseWithout(
  expected: Buffer,
  { authorization }: IncomingHttpHeaders,
): Refusal | undefined {
  const given = bearer.exec(authorization ?? "")?.[1];
  if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined;
  const error = given === undefined ? "" : ', error="invalid_token"';
  return {
    status: 401,
    message: "Send the token that was printed at start: Authorization: Bearer …",
    headers: { "www-authenticate": `Bearer realm="haft"${error}` },
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
