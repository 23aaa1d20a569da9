import { isAbsolute, join } from "node:path";

/** Returns the directory of the user's settings. */
export function findConfigHome(
  { XDG_CONFIG_HOME }: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  // The XDG specification says to ignore a relative path.
  return XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(home, ".config");
}
