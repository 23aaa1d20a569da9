import { isAllowedVariable } from "./allowed-variables.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the part of this process's environment that a program of a workspace may see: the allowed
 * variables, and those that a person passes by name.
 */
export function pickEnvironment(
  environment: Environment,
  passed: readonly string[] = [],
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    if (passed.includes(name) || isAllowedVariable(name, value)) kept[name] = value;
  }
  return kept;
}

/**
 * The environment of a program that runs for a tool: what it may see, and set so that nothing waits
 * for a person, opens a pager or an editor, or draws on a terminal that does not exist.
 */
export function commandEnvironment(
  environment: Environment,
  passed: readonly string[],
): Record<string, string> {
  return { ...pickEnvironment(environment, passed), ...withoutPerson };
}

/** Returns the names of the variables that commands don't get, sorted. */
export function listWithheldVariables(
  environment: Environment,
  passed: readonly string[],
): readonly string[] {
  const given = commandEnvironment(environment, passed);
  return Object.keys(environment)
    .filter((name) => !Object.hasOwn(given, name) && !ofShell.has(name))
    .sort();
}

/**
 * Returns a note about the variables that a failed command names and did not get, if any. Only its
 * own words count: what a program prints must not lead a person to pass a secret to it.
 */
export function explainWithheld(
  command: string,
  given: Readonly<Record<string, string>>,
): string | undefined {
  const { used, set } = readNames(command);
  const missing = Object.keys(process.env).filter(
    (name) => used.has(name) && !set.has(name) && !Object.hasOwn(given, name) && !ofShell.has(name),
  );
  if (missing.length === 0) return undefined;
  const list = missing.join(", ");
  return `These variables are set, but commands do not get them: ${list}. To pass them, start Haft with --pass-env ${missing.join(",")}.`;
}

/**
 * Finds the variables that a command sets, and those that it uses: `$NAME`, `${NAME…}`, and names with
 * an underscore wherever they stand, as in `printenv MY_NAME` and `process.env.MY_NAME`.
 */
function readNames(command: string): Readonly<Record<"used" | "set", ReadonlySet<string>>> {
  const used = new Set<string>();
  const set = new Set<string>();
  for (const { 0: name, index } of command.matchAll(/[A-Za-z_]\w*/gu)) {
    const isExpanded = /\$\{?[!#]?$/u.test(command.slice(Math.max(0, index - 3), index));
    const isSet = !isExpanded && command[index + name.length] === "=";
    if (isSet) set.add(name);
    else if (isExpanded || name.includes("_")) used.add(name);
  }
  return { used, set };
}

// bash sets these itself.
const ofShell: ReadonlySet<string> = new Set(["COLUMNS", "LINES", "OLDPWD", "PWD", "SHLVL", "_"]);

const withoutPerson: Readonly<Record<string, string>> = {
  TERM: "dumb",
  PAGER: "cat",
  MANPAGER: "cat",
  GIT_PAGER: "cat",
  SYSTEMD_PAGER: "cat",
  // Editors that leave their file unchanged.
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  GCM_INTERACTIVE: "never",
  DEBIAN_FRONTEND: "noninteractive",
  PIP_NO_INPUT: "1",
};
