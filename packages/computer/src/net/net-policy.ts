import { isIP } from "node:net";
import { type Grant, ToolError } from "@haft/contract";
import { untilAborted } from "@haft/core";
import { isPublicAddress } from "./address-policy.ts";
import { type AllowedHost, type Destination, isNamed } from "./allowed-host.ts";
import { isLocalName, isLoopbackName, showHost } from "./host-name.ts";
import { type ResolveName, resolveName } from "./resolve-name.ts";

/** What decides whether a connection may be made. */
export interface NetPolicy {
  readonly grant: Pick<Grant, "mayReach">;
  /** Hosts that a person granted by name; these may have private addresses. */
  readonly allowedHosts: readonly AllowedHost[];
  /** Whether private addresses are not reached even of hosts that were granted by name. */
  readonly onlyPublic?: boolean | undefined;
  /** The system's resolver unless said. */
  readonly resolve?: ResolveName | undefined;
}

/**
 * The addresses of a host that may be dialled, at least one. The name is looked up once: what is
 * dialled is what was judged. Throws `out-of-scope`, or what the lookup threw.
 */
export async function findAddresses(
  destination: Destination,
  policy: NetPolicy,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { host } = destination;
  if (!policy.grant.mayReach(host)) throw notGranted(host);
  const isTrusted = policy.onlyPublic !== true && isNamed(destination, policy.allowedHosts);
  if (!isTrusted && isLocalName(host)) throw notPublic(destination);
  const addresses = await listAddresses(host, policy, signal);
  const safe = isTrusted ? addresses.filter(isAddress) : addresses.filter(isPublicAddress);
  if (safe.length === 0) throw notPublic(destination);
  return safe;
}

function listAddresses(
  host: string,
  { resolve = resolveName }: NetPolicy,
  signal: AbortSignal,
): readonly string[] | Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  if (isLoopbackName(host)) return ["127.0.0.1", "::1"];
  return untilAborted({ signal }, resolve(host));
}

function isAddress(text: string): boolean {
  return isIP(text) !== 0;
}

function notGranted(host: string): ToolError {
  return new ToolError(
    "out-of-scope",
    `${host} may not be reached: it is not among the hosts that this session was granted. A person can grant it with --allow-host ${host}.`,
  );
}

// Whatever is there, or is not: the sentence is the same.
function notPublic({ host, port }: Destination): ToolError {
  const place = `${showHost(host)}:${port}`;
  return new ToolError(
    "out-of-scope",
    `${place} may not be reached: only public addresses may, and hosts that a person grants by name with --allow-host ${place}.`,
  );
}
