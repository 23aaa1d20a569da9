import { compileRequirements, type Net } from "@haft/contract";
import { parseAllowedHost } from "../net/allowed-host.ts";
import { openDiskNet } from "../net/disk-net.ts";
import type { ResolveName } from "../net/resolve-name.ts";

/** What a test's network may reach. Default: every host. */
export interface NetSetup {
  readonly hosts?: readonly string[];
  /** `HOST` or `HOST:PORT`, as a person would name them. */
  readonly allow?: readonly string[];
  readonly resolve?: ResolveName;
  readonly signal?: AbortSignal;
}

/** Opens the net as a call of a session would have it. */
export function openNet(setup: NetSetup = {}): Net {
  const grant = compileRequirements({ net: { hosts: setup.hosts ?? ["*"] } }, {});
  const signal = setup.signal ?? new AbortController().signal;
  const allowedHosts = (setup.allow ?? []).map(parseAllowedHost);
  return openDiskNet({ grant, signal }, { allowedHosts, resolve: setup.resolve });
}
