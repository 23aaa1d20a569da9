import { createPlatformClient, type PlatformClient } from "@haft/platform/client";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { version } from "../version.ts";
import { requireEnvironment } from "./find-environment.ts";
import type { PlatformEnvironment } from "./platform-environment.ts";

/** Opens a client for the platform that the command line names. */
export function openClient(input: CommandInput, io: Io): PlatformClient {
  return toClient(requireEnvironment(input, io), io);
}

/** Creates a client for a platform. Ctrl-C aborts its requests. Warns if the key is sent in clear. */
export function toClient(environment: PlatformEnvironment, io: Io): PlatformClient {
  const { url, apiKey, organization } = environment;
  if (/^http:/iu.test(url) && !isLoopback(url)) {
    io.error(`haft: warning: the API key travels unencrypted to ${url}. Use https.\n`);
  }
  return createPlatformClient({
    url,
    apiKey,
    ...(organization === undefined ? {} : { organization }),
    fetch: (target, init = {}) => {
      const signals = init.signal ? [init.signal, io.signal] : [io.signal];
      const headers = { "user-agent": `haft/${version}`, ...init.headers };
      return fetch(target, { ...init, headers, signal: AbortSignal.any(signals) });
    },
  });
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\./u.test(hostname);
}
