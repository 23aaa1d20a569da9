import type { Socket } from "node:net";
import { compileRequirements, type Grant, ToolError } from "@haft/contract";
import { type Destination, isOtherPort } from "../allowed-host.ts";
import { dial } from "../dial.ts";
import { explainFailure } from "../explain-failure.ts";
import { readHost, showHost } from "../host-name.ts";
import { findAddresses, type NetPolicy } from "../net-policy.ts";

/** Hosts that programs behind an egress proxy may reach. */
export interface EgressPolicy extends NetPolicy {
  /** Further restricts the granted hosts. Default: every granted host. */
  readonly hosts?: readonly string[] | undefined;
  /** What a refusal says after the host's name. Default: how to grant it to a session. */
  readonly refusal?: string | undefined;
}

/** Opens connections for programs, to allowed hosts only. */
export interface EgressGate {
  /**
   * Connects to a host as a program spelled it. Throws `out-of-scope`, `unavailable` or `timeout`,
   * with a text for the program's user.
   */
  open(host: string, port: number): Promise<Socket>;
  /** The hosts that were refused so far. */
  refused(): readonly string[];
}

const patienceMs = 20_000;

// A program that tries random names must not grow the list without end.
const maxRemembered = 100;

/** Creates a gate that abandons all its work when the signal fires. */
export function createEgressGate(policy: EgressPolicy, signal: AbortSignal): EgressGate {
  const refused = new Set<string>();
  const grant = narrow(policy);
  const remember = (name: string): void => {
    if (refused.size < maxRemembered) refused.add(name);
  };
  return {
    open: async (given, port) => {
      const host = readHost(given);
      if (host === undefined || !(port >= 1 && port <= 65_535)) throw noHost();
      const destination = { host, port };
      if (grant.mayReach(host)) {
        if (isOtherPort(destination, policy.allowedHosts)) {
          const place = `${showHost(host)}:${port}`;
          remember(place);
          throw refuse(place, policy.refusal ?? otherPort(destination));
        }
      } else if (policy.refusal !== undefined) {
        remember(host);
        throw refuse(host, policy.refusal);
      }
      const timer = AbortSignal.timeout(patienceMs);
      const patience = AbortSignal.any([signal, timer]);
      try {
        const addresses = await findAddresses(destination, { ...policy, grant }, patience);
        return endWith(await dial({ addresses, port }, patience), signal);
      } catch (error) {
        if (timer.aborted) throw tooLate(destination);
        const explained = explainFailure(error, `${showHost(host)}:${port}`);
        if (explained.code === "out-of-scope") remember(host);
        throw explained;
      }
    },
    refused: () => [...refused],
  };
}

function endWith(socket: Socket, signal: AbortSignal): Socket {
  const end = (): void => {
    socket.destroy();
  };
  if (signal.aborted) end();
  signal.addEventListener("abort", end, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", end));
  return socket;
}

function narrow({ grant, hosts }: EgressPolicy): Pick<Grant, "mayReach"> {
  if (hosts === undefined) return grant;
  const only = compileRequirements({ net: { hosts } }, {});
  return { mayReach: (host) => only.mayReach(host) && grant.mayReach(host) };
}

function noHost(): ToolError {
  return new ToolError("out-of-scope", "The request does not name a valid host and port.");
}

function refuse(place: string, reason: string): ToolError {
  return new ToolError("out-of-scope", `${place} ${reason}`);
}

function otherPort({ host, port }: Destination): string {
  return `may not be reached: ${host} was granted with another port only. To grant this one, start with --allow-host ${showHost(host)}:${port}.`;
}

function tooLate({ host, port }: Destination): ToolError {
  return new ToolError(
    "timeout",
    `${showHost(host)}:${port} did not accept the connection within ${patienceMs / 1_000} seconds.`,
  );
}
