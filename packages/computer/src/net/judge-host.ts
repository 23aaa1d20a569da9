import type { ResourceKey } from "@haft/contract";
import { showHost } from "./host-name.ts";
import { judgeDestination, type NetPolicy } from "./net-policy.ts";

/**
 * Checks a declared host as far as that is possible without a lookup. Throws the refusal, or returns
 * what is known only when the host is reached.
 */
export function judgeHost({ key: host, port }: ResourceKey, policy: NetPolicy): string {
  const { allowedHosts } = policy;
  // Without a port, every port that was granted counts.
  const granted = allowedHosts.find((each) => each.host === host)?.port;
  const { addresses } = judgeDestination({ host, port: port ?? granted ?? defaultPort }, policy);
  return addresses === undefined
    ? `whether ${host} has a public address, and where it redirects`
    : `where ${showHost(host)} redirects`;
}

const defaultPort = 443;
