import type { RepositoryAddress } from "./repository-address.ts";

/** What to clone. */
export interface CloneRequest {
  readonly address: RepositoryAddress;
  readonly ref: string | undefined;
  readonly depth: number;
}

type Command = readonly ["git", ...string[]];

// Nothing in the repository or in this machine's configuration may run programs or prompt.
const options: Readonly<Record<string, string>> = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.askPass": "",
  "credential.helper": "",
  "protocol.allow": "never",
  "submodule.recurse": "false",
  "transfer.bundleURI": "false",
  "http.followRedirects": "false",
  "advice.detachedHead": "false",
};

/** The environment in which git runs. */
export function gitEnvironment({ scheme }: RepositoryAddress): Record<string, string> {
  return {
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ALLOW_PROTOCOL: scheme,
    GIT_LFS_SKIP_SMUDGE: "1",
    // Give up on a server that is silent for a minute.
    GIT_HTTP_LOW_SPEED_LIMIT: "1",
    GIT_HTTP_LOW_SPEED_TIME: "60",
    // Errors are recognized by their English text.
    LC_ALL: "C",
  };
}

/** Clones into the working directory. */
export function cloneCommand({ address, ref, depth }: CloneRequest): Command {
  return [
    ...withOptions({ ...options, [`protocol.${address.scheme}.allow`]: "always" }),
    "clone",
    "--quiet",
    "--template=",
    `--depth=${depth}`,
    "--single-branch",
    "--no-tags",
    "--no-recurse-submodules",
    ...(ref === undefined ? [] : [`--branch=${ref}`]),
    "--",
    address.url,
    ".",
  ];
}

/** Prints the commit, then the branch or `HEAD`. */
export const headCommand: Command = [
  ...withOptions(options),
  "rev-parse",
  "HEAD",
  "--abbrev-ref",
  "HEAD",
];

/** Prints the names of all files, each with a NUL at its end. */
export const filesCommand: Command = [...withOptions(options), "ls-files", "-z"];

function withOptions(all: Readonly<Record<string, string>>): Command {
  const pairs = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return ["git", ...pairs];
}
