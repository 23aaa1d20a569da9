import type { OrganizationPath } from "./organization-path.ts";
import type {
  BranchPage,
  CommitPage,
  RepositoryDiff,
  RepositoryFile,
  RepositoryLocation,
  RepositoryTree,
  TextPageQuery,
} from "./repository-types.ts";
import type { Requester } from "./requester.ts";

/** The organization's repository, to look at. */
export interface RepositoryClient {
  /** What git pushes to and clones from. */
  remote(): Promise<string>;
  branches(query?: TextPageQuery): Promise<BranchPage>;
  /** Newest first. */
  commits(query?: RepositoryLocation & TextPageQuery): Promise<CommitPage>;
  tree(location?: RepositoryLocation): Promise<RepositoryTree>;
  file(location: RepositoryLocation & { readonly path: string }): Promise<RepositoryFile>;
  /** Without `from`, what the commit changed. */
  diff(query?: {
    readonly from?: string;
    readonly to?: string;
    readonly path?: string;
  }): Promise<RepositoryDiff>;
}

/** Makes the part of the client that is about the repository. */
export function createRepositoryClient(
  requester: Requester,
  place: OrganizationPath,
): RepositoryClient {
  const look = async <Result>(what: string, query: object = {}): Promise<Result> =>
    requester.request("GET", await place.path("tool", "repository", what), { query });
  return {
    remote: async () => `${requester.server}${await place.path("tool", "git")}`,
    branches: (query) => look("branches", query),
    commits: (query) => look("commits", query),
    tree: (query) => look("tree", query),
    file: (query) => look("file", query),
    diff: (query) => look("diff", query),
  };
}
