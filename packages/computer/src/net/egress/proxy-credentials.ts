import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Credentials for a proxy port that every user of the machine could open. */
export interface ProxyCredentials {
  readonly user: string;
  readonly secret: string;
}

/** Creates random credentials. */
export function createProxyCredentials(): ProxyCredentials {
  return { user: "haft", secret: randomBytes(24).toString("base64url") };
}

/** Compares credentials in constant time. */
export function isProxyUser(
  { user, secret }: ProxyCredentials,
  given: { readonly user: string; readonly secret: string },
): boolean {
  return timingSafeEqual(digest(`${user}:${secret}`), digest(`${given.user}:${given.secret}`));
}

/** Parses the value of a `Proxy-Authorization` header. */
export function readBasic(header = ""): ProxyCredentials {
  const encoded = /^basic +([a-z0-9+/=_-]+)$/iu.exec(header.trim())?.[1] ?? "";
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0
    ? { user: text, secret: "" }
    : { user: text.slice(0, colon), secret: text.slice(colon + 1) };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
