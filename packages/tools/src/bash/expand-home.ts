import type { PrepareEnvironment } from "@haft/contract";

/** Replaces a leading `~` of `cwd` by the home directory. */
export function expandHome<Args extends { readonly cwd?: string }>(
  args: Args,
  { home }: PrepareEnvironment,
): Args {
  const { cwd } = args;
  if (home === undefined || typeof cwd !== "string" || !/^~(?:\/|$)/u.test(cwd)) return args;
  return { ...args, cwd: `${home === "/" ? "" : home}${cwd.slice(1)}` || "/" };
}
