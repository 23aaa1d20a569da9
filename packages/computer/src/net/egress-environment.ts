import type { AllowedHost } from "./allowed-host.ts";

/**
 * The variables by which programs find a proxy at this URL. What a program asks of its own machine
 * it asks there, unless a person granted it a service of ours by that name.
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
