import { ToolError } from "@haft/contract";

/** Turns any connection failure into an `unavailable` error with a sentence for people. */
export function explainFailure(error: unknown, place: string): ToolError {
  if (ToolError.isInstance(error)) return error;
  const code = findCode(error);
  const reason = reasons.get(code) ?? describeFamily(code) ?? "the connection failed";
  const detail = code === "" || reasons.has(code) ? "" : ` (${code})`;
  const hint = mayNeedProxy.has(code) && hasProxySettings() ? proxyHint : "";
  return new ToolError("unavailable", `${place} can't be reached: ${reason}${detail}.${hint}`, {
    cause: error,
  });
}

const mayNeedProxy = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);
const proxyHint =
  " This machine is configured to use a proxy; tools ignore it and connect directly.";

function hasProxySettings(): boolean {
  return ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].some(
    (name) => process.env[name],
  );
}

const brokenOff = "the server closed the connection";
const unknownIssuer = "its certificate is not signed by an authority that this machine trusts";

const reasons = new Map<string, string>([
  ["ENOTFOUND", "the name does not exist"],
  ["ENODATA", "the name does not exist"],
  ["EAI_AGAIN", "the name could not be looked up; the name server does not answer"],
  ["EAI_FAIL", "the name could not be looked up; the name server does not answer"],
  ["ECONNREFUSED", "nothing accepts connections there"],
  ["ECONNRESET", brokenOff],
  ["ECONNABORTED", brokenOff],
  ["EPIPE", brokenOff],
  ["ERR_STREAM_PREMATURE_CLOSE", brokenOff],
  ["Z_BUF_ERROR", brokenOff],
  ["EHOSTUNREACH", "there is no route to its network"],
  ["ENETUNREACH", "there is no route to its network"],
  ["EADDRNOTAVAIL", "there is no route to its network"],
  ["ETIMEDOUT", "it does not answer"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["CERT_NOT_YET_VALID", "its certificate is not valid yet"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", unknownIssuer],
  ["UNABLE_TO_GET_ISSUER_CERT", unknownIssuer],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", unknownIssuer],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", unknownIssuer],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another name"],
  ["HPE_HEADER_OVERFLOW", "the headers of its response are too large"],
]);

function describeFamily(code: string): string | undefined {
  if (code.startsWith("HPE_")) return "its response is not HTTP";
  if (code.startsWith("ERR_SSL_") || code === "EPROTO")
    return "TLS could not be negotiated with it";
  if (/^(?:Z_|ERR_?_?BROTLI|ERR_ZSTD|ZSTD_|ERR_PADDING)/u.test(code)) {
    return "its response is not compressed as it says";
  }
  return code.includes("CERT") ? "its certificate is not valid" : undefined;
}

function findCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : "";
}
