import { isAbsolute, join } from "node:path";

/** Where the user's settings are. */
export function findConfigHome(
  { XDG_CONFIG_HOME }: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  // One that is relative is to be taken for none.
  return XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(home, ".config");
}
