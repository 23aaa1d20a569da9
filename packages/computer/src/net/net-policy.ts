import { isIP } from "node:net";
import { type Grant, type ResourceKey, ToolError } from "@haft/contract";
import { untilAborted } from "@haft/core/internal";
import { isPublicAddress } from "./address-policy.ts";
import { type AllowedHost, type Destination, isNamed } from "./allowed-host.ts";
import { isLocalName, isLoopbackName, showHost } from "./host-name.ts";
import { type ResolveName, resolveName } from "./resolve-name.ts";

/** Decides whether a connection is allowed. */
export interface NetPolicy {
  readonly grant: Pick<Grant, "mayReach">;
  /** Hosts that a person granted by name; these may have private addresses. */
  readonly allowedHosts: readonly AllowedHost[];
  /** Refuses private addresses even for hosts that were granted by name. */
  readonly onlyPublic?: boolean | undefined;
  /** Default: the system's resolver. */
  readonly resolve?: ResolveName | undefined;
}

const defaultPort = 443;

/**
 * Returns the addresses of a host that may be dialled, at least one. The name is looked up once:
 * the addresses that are dialled are those that were checked. Throws `out-of-scope`, or the lookup's error.
 */
export async function findAddresses(
  destination: Destination,
  policy: NetPolicy,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { isTrusted, addresses } = judgeDestination(destination, policy);
  if (addresses !== undefined) return addresses;
  const { resolve = resolveName } = policy;
  const found = await untilAborted({ signal }, resolve(destination.host));
  return requireSafe(found, destination, isTrusted);
}

/** What is known about a destination without a lookup. */
export interface JudgedDestination {
  /** Whether a person granted it by name, so that its private addresses may be dialled. */
  readonly isTrusted: boolean;
  /** The addresses to dial; absent if the name must be looked up first. */
  readonly addresses: readonly string[] | undefined;
}

/** Checks a destination without looking up its name. Throws `out-of-scope`. */
export function judgeDestination(destination: Destination, policy: NetPolicy): JudgedDestination {
  const { host } = destination;
  if (!policy.grant.mayReach(host)) throw notGranted(host);
  const isTrusted = policy.onlyPublic !== true && isNamed(destination, policy.allowedHosts);
  if (!isTrusted && isLocalName(host)) throw notPublic(destination);
  const known = listKnownAddresses(host);
  const addresses = known && requireSafe(known, destination, isTrusted);
  return { isTrusted, addresses };
}

function listKnownAddresses(host: string): readonly string[] | undefined {
  if (isIP(host) !== 0) return [host];
  return isLoopbackName(host) ? ["127.0.0.1", "::1"] : undefined;
}

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

function requireSafe(
  addresses: readonly string[],
  destination: Destination,
  isTrusted: boolean,
): readonly string[] {
  const safe = addresses.filter(isTrusted ? isAddress : isPublicAddress);
  if (safe.length === 0) throw notPublic(destination);
  return safe;
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

function notGranted(host: string): ToolError {
  return new ToolError(
    "out-of-scope",
    `${host} may not be reached: it is not among the hosts granted to this session. To grant it, start with --allow-host ${host}.`,
  );
}

// The same sentence whether or not anything is there, so that it discloses nothing.
function notPublic({ host, port }: Destination): ToolError {
  const place = `${showHost(host)}:${port}`;
  return new ToolError(
    "out-of-scope",
    `${place} may not be reached: only public addresses and hosts granted by name may. To grant it, start with --allow-host ${place}.`,
  );
}
