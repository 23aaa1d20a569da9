import { createPlatformClient, type PlatformClient } from "@haft/platform/client";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { requireEnvironment } from "./find-environment.ts";
import type { PlatformEnvironment } from "./platform-environment.ts";

/** Opens a client for the platform that the command line names. */
export function openClient(input: CommandInput, io: Io): PlatformClient {
  return toClient(requireEnvironment(input, io), io);
}

/** Creates a client for a platform. Ctrl-C aborts its requests. */
export function toClient(environment: PlatformEnvironment, io: Io): PlatformClient {
  const { url, apiKey, organization } = environment;
  return createPlatformClient({
    url,
    apiKey,
    ...(organization === undefined ? {} : { organization }),
    fetch: (target, init = {}) => {
      const signals = init.signal ? [init.signal, io.signal] : [io.signal];
      return fetch(target, { ...init, signal: AbortSignal.any(signals) });
    },
  });
}
