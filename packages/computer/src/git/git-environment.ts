/** What our own git processes may do beyond reading files. */
export interface GitAllowance {
  /** Settings for this run. They take precedence over those of every file. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Allowed protocols, such as `["https"]`. Default: none. */
  readonly protocols?: readonly string[];
}

/**
 * Returns the environment for running git outside a sandbox on an untrusted repository. No program
 * that its configuration names is run. Filters, external diffs and `textconv` can't be disabled by a
 * setting: don't run commands that use them (status, diff, add, checkout) on untrusted configuration.
 */
export function toGitEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { settings, protocols = [] }: GitAllowance = {},
): Readonly<Record<string, string | undefined>> {
  const kept = Object.entries(environment).filter(
    ([name]) => !name.startsWith("GIT_") || ofPerson.test(name),
  );
  const given = Number(environment.GIT_CONFIG_COUNT ?? 0) || 0;
  const entries = Object.entries({ ...harmless, ...settings });
  return {
    // The person's own command takes precedence over `core.sshCommand`, as does this one.
    GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_PAGER: "cat",
    GIT_EDITOR: "true",
    GIT_SEQUENCE_EDITOR: "true",
    GIT_OPTIONAL_LOCKS: "0",
    // Missing objects would be fetched from wherever the repository says.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: protocols.join(":"),
    // Error messages are recognized by their English text.
    LC_ALL: "C",
    GIT_CONFIG_COUNT: String(given + entries.length),
    ...Object.fromEntries(
      entries.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${given + index}`, name],
        [`GIT_CONFIG_VALUE_${given + index}`, value],
      ]),
    ),
  };
}

// The call names the repository, even where git itself has started us.
const ofPerson =
  /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|SSL_\w+|PROXY_SSL_\w+|HTTP_\w+|AUTHOR_\w+|COMMITTER_\w+|CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM|COUNT|(?:KEY|VALUE)_\d+))$/u;

const harmless: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.alternateRefsCommand": "true",
  "protocol.ext.allow": "never",
  "transfer.bundleURI": "false",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "push.recurseSubmodules": "no",
  "diff.ignoreSubmodules": "all",
  "log.showSignature": "false",
  "commit.gpgSign": "false",
  "push.gpgSign": "false",
  // No background maintenance.
  "gc.auto": "0",
  "gc.autoDetach": "false",
  "maintenance.auto": "false",
};
