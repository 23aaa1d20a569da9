import type { AllowedHost } from "./allowed-host.ts";

/**
 * The environment variables that point programs to the proxy at this URL. Requests to the program's
 * own machine bypass it, unless a person granted a local service by name.
 */
export function egressEnvironment(
  proxy: string,
  allowedHosts: readonly AllowedHost[],
): Readonly<Record<string, string>> {
  const direct = ["localhost", "127.0.0.1", "::1"]
    .filter((name) => !allowedHosts.some(({ host }) => host === name))
    .join(",");
  const settings = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: direct };
  const lower = Object.entries(settings).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...settings, ...Object.fromEntries(lower), NODE_USE_ENV_PROXY: "1" };
}
