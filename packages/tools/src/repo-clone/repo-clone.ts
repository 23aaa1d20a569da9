import { defineTool, type Tool, ToolError } from "@haft/contract";
import { type ClonedRepository, cloneRepository } from "./clone-repository.ts";
import { type RepositoryAddress, readAddress } from "./repository-address.ts";

/** The arguments of `repo_clone`. */
export interface RepoCloneArguments {
  url: string;
  directory?: string;
  ref?: string;
  depth?: number;
}

/** What was cloned. */
export type RepoCloneData = ClonedRepository;

const longestMs = 10 * 60 * 1000;

/** Clones a repository into the workspace. */
export const repoClone: Tool<RepoCloneArguments, RepoCloneData> = defineTool({
  id: "repo_clone",
  description: [
    "Clones a public git repository over https into a new directory of the workspace: its newest commit without history, and without submodules, hooks and large files kept elsewhere.",
    "owner/name stands for a repository on GitHub. No credentials are used, so private repositories can't be cloned.",
    "To see one file or page of a repository, web_fetch is enough.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      url: {
        type: "string",
        minLength: 1,
        description: "The repository's https address, or owner/name for GitHub.",
      },
      directory: {
        type: "string",
        minLength: 1,
        description:
          "Where to put it: absolute, or relative to the workspace root; must not exist, or be empty. The repository's name if left out.",
      },
      ref: {
        type: "string",
        minLength: 1,
        description: "A branch or tag; the repository's default branch if left out.",
      },
      depth: {
        type: "integer",
        minimum: 1,
        description: "How many commits of history to take; 1 if left out.",
      },
    },
    required: ["url"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      directory: { type: "string", description: "In full." },
      url: { type: "string" },
      commit: { type: ["string", "null"], description: "null if the repository is empty." },
      branch: { type: "string", description: "Not given for a tag." },
      files: { type: "integer", description: "How many there are." },
      message: { type: "string" },
    },
    required: ["directory", "url", "commit", "message"],
    additionalProperties: false,
  },
  requires: {
    fs: { read: ["{workspace}/**"], write: ["{workspace}/**"] },
    net: { hosts: ["*"] },
    shell: [{ cmd: "git" }, { cmd: "rm" }],
  },
  kind: "fetch",
  source: "builtin",
  timeoutMs: longestMs,
  execution: {
    resourceKeys: ({ url, directory }) => {
      const address = tryAddress(url);
      const place = { key: directory ?? address?.name ?? ".", mode: "write", tree: true } as const;
      return address === undefined
        ? [place]
        : [{ type: "host", key: address.host, mode: "read" }, place];
    },
  },
  execute: async ({ url, directory, ref, depth = 1 }, runtime) => {
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Cloned nothing: aborted.");
    const address = readAddress(url);
    if (ref !== undefined) requireRef(ref);
    const name = directory ?? address.name;
    if (name === undefined) {
      throw new ToolError(
        "invalid-arguments",
        `directory: ${address.url} does not end in a name that a directory can have. Give one.`,
      );
    }
    return cloneRepository({ address, ref, depth }, name, runtime);
  },
});

function tryAddress(url: string): RepositoryAddress | undefined {
  try {
    return readAddress(url);
  } catch {
    // The call itself will say what is wrong with it.
    return undefined;
  }
}

function requireRef(ref: string): void {
  if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u.test(ref)) {
    throw new ToolError(
      "invalid-arguments",
      "ref: a single commit can't be cloned; give a branch or tag, and depth if the commit is older.",
    );
  }
  if (/^[-./]|[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/$|\.lock$/u.test(ref)) {
    throw new ToolError(
      "invalid-arguments",
      `ref: ${JSON.stringify(ref)} can't be the name of a branch or tag.`,
    );
  }
}
