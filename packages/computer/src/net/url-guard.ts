import { ToolError } from "@haft/contract";
import { type AllowedHost, isNamed, parseAllowedHost } from "./allowed-host.ts";
import { judgeDestination } from "./net-policy.ts";
import { readWebUrl } from "./web-url.ts";

/** Why a URL is refused before anything is looked up, as the end of a sentence. */
export type UrlRefusal = string;

/**
 * Creates a check of URLs that a program is to send requests to later: the scheme must be `https`, and
 * the host must not be a private address or a local name, unless it is allowed. What a name leads to is
 * checked when the request is sent, by `createGuardedFetch` with the same hosts.
 */
export function createUrlGuard(
  allowedHosts: readonly string[],
): (text: string) => UrlRefusal | undefined {
  const allowed: readonly AllowedHost[] = allowedHosts.map(parseAllowedHost);
  return (text) => {
    const read = readWebUrl(text);
    if (typeof read === "string") return read;
    if (!read.isSecure && !isNamed(read, allowed)) return "is not https";
    try {
      judgeDestination(read, { grant: { mayReach: () => true }, allowedHosts: allowed });
      return undefined;
    } catch (error) {
      if (!ToolError.isInstance(error)) throw error;
      return "leads to a private or local address";
    }
  };
}

/** Returns what is wrong with the text of a host to allow, if anything. */
export function findHostProblem(text: string): string | undefined {
  try {
    parseAllowedHost(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
