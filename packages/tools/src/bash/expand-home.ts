import type { PrepareEnvironment } from "@haft/contract";

/** The arguments with the home directory for a `~` at the start of `cwd`. */
export function expandHome<Args extends { readonly cwd?: string }>(
  args: Args,
  { home }: PrepareEnvironment,
): Args {
  const { cwd } = args;
  if (home === undefined || typeof cwd !== "string" || !/^~(?:\/|$)/u.test(cwd)) return args;
  return { ...args, cwd: `${home === "/" ? "" : home}${cwd.slice(1)}` || "/" };
}
