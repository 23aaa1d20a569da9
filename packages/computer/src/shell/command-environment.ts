import { type Environment, scrubEnvironment } from "./scrub-environment.ts";

/**
 * The environment of a program that runs for a tool: free of secrets, and set so that nothing waits
 * for a person, opens a pager or an editor, or draws on a terminal that is not there.
 */
export function commandEnvironment(
  environment: Environment,
  passed: readonly string[],
): Record<string, string> {
  const kept = scrubEnvironment(environment, passed);
  for (const name of ofTerminals) delete kept[name];
  return { ...kept, ...withoutPerson };
}

const ofTerminals = ["COLORTERM", "COLUMNS", "LINES", "SHLVL", "_", "OLDPWD", "PWD"];

const withoutPerson: Readonly<Record<string, string>> = {
  TERM: "dumb",
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  // Editors that leave what they are given as it is.
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
};
