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

/** The result of `repo_clone`. */
export type RepoCloneData = ClonedRepository;

const maxMs = 10 * 60 * 1000;

/**
 * The `repo_clone` tool: clones a public repository into the workspace.
 *
 * @example
 * ```ts
 * import { repoClone, repoOverview } from "@haft/tools";
 *
 * const tools = [repoClone, repoOverview];
 * ```
 */
export const repoClone: Tool<RepoCloneArguments, RepoCloneData> = defineTool({
  id: "repo_clone",
  description: [
    "Clones a public git repository over https, without submodules, hooks, LFS files or credentials.",
    "To read one file of a repository, use `web_fetch`.",
  ].join(" "),
  parameters: {
    type: "object",
    properties: {
      url: {
        type: "string",
        minLength: 1,
        description: "https URL, or owner/name for GitHub.",
      },
      directory: {
        type: "string",
        minLength: 1,
        description: "New or empty. Default: the repository's name.",
      },
      ref: {
        type: "string",
        minLength: 1,
        description: "Branch or tag.",
      },
      depth: {
        type: "integer",
        minimum: 1,
        description: "Commits of history. Default: 1.",
      },
    },
    required: ["url"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      directory: { type: "string", description: "Absolute." },
      url: { type: "string" },
      commit: { type: ["string", "null"], description: "null if the repository is empty." },
      branch: { type: "string", description: "Absent for a tag." },
      files: { type: "integer", description: "Number of files." },
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
  timeoutMs: maxMs,
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
    if (runtime.signal.aborted) throw new ToolError("cancelled", "Cancelled: nothing was cloned.");
    const address = readAddress(url);
    if (ref !== undefined) requireRef(ref);
    const name = directory ?? address.name;
    if (name === undefined) {
      throw new ToolError(
        "invalid-arguments",
        `directory: ${address.url} does not end in a valid directory name. Give a directory.`,
      );
    }
    return cloneRepository({ address, ref, depth }, name, runtime);
  },
});

function tryAddress(url: string): RepositoryAddress | undefined {
  try {
    return readAddress(url);
  } catch {
    // The call itself reports what is wrong with it.
    return undefined;
  }
}

function requireRef(ref: string): void {
  if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u.test(ref)) {
    throw new ToolError(
      "invalid-arguments",
      "ref: a single commit can't be cloned. Give a branch or tag, and a greater depth for an older commit.",
    );
  }
  if (/^[-./]|[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/$|\.lock$/u.test(ref)) {
    throw new ToolError(
      "invalid-arguments",
      `ref: ${JSON.stringify(ref)} is not a valid branch or tag name.`,
    );
  }
}
