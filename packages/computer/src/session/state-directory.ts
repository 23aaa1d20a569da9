import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** The directory of Haft's state: `$HAFT_HOME`, else `$XDG_STATE_HOME/haft`, else `~/.local/state/haft`. */
export function stateDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  if (environment.HAFT_HOME) return resolve(environment.HAFT_HOME);
  const state = environment.XDG_STATE_HOME;
  // The XDG specification says to ignore a relative path.
  if (state && isAbsolute(state)) return join(state, "haft");
  return join(environment.HOME || homedir(), ".local", "state", "haft");
}
