/** A caller's credential and the identity it claims. */
export interface Credential {
  /** An API key or a signed token. */
  readonly secret: string;
  /** Present with `Basic` only. */
  readonly claim?: { readonly organization: string; readonly userId: string };
}

const maxHeaderLength = 8_192;

/** Parses an `Authorization` header. Returns `undefined` if it has no known form. */
export function fromAuthorization(header: string | undefined): Credential | undefined {
  if (header === undefined || header.length > maxHeaderLength) return undefined;
  const [, scheme = "", rest = ""] = /^(\S+) +(\S+) *$/.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
      return { secret: rest };
    case "basic":
      return fromBasic(Buffer.from(rest, "base64").toString("utf8"));
    default:
      return undefined;
  }
}

function fromBasic(text: string): Credential | undefined {
  const found = /^([a-f0-9]{24})_([a-f0-9]{24}):(\S+)$/.exec(text);
  const [, organization, userId, secret] = found ?? [];
  if (organization === undefined || userId === undefined || secret === undefined) return undefined;
  return { secret, claim: { organization, userId } };
}
