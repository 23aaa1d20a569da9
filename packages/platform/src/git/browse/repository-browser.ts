/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The token of the next page; `undefined` on the last page. */
  readonly continuationToken: string | undefined;
}

/** Selects a page of a list. */
export interface PageQuery {
  readonly limit: number;
  readonly continuationToken?: string | undefined;
}

/** A branch with its last commit. */
export interface Branch {
  readonly name: string;
  readonly commit: string;
  /** The time of the last commit in milliseconds. */
  readonly updatedAt: number;
}

/** One commit. */
export interface Commit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** The author date in milliseconds. */
  readonly date: number;
  readonly subject: string;
  readonly body: string;
}

/** One entry of a folder. Links are never followed. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly type: "file" | "directory" | "symlink" | "submodule";
  readonly mode: string;
  readonly size: number | undefined;
}

/** A folder at a commit. `commit` is `undefined` if nothing was pushed yet. */
export interface Folder {
  readonly commit: string | undefined;
  readonly path: string;
  readonly entries: readonly FolderEntry[];
}

/** A file or link at a commit. The content of a link is its target. */
export interface RepositoryFile {
  readonly commit: string;
  readonly path: string;
  readonly type: "file" | "symlink";
  readonly mode: string;
  readonly content: Buffer;
}

/** How one file differs between two commits. */
export interface FileDifference {
  readonly path: string;
  /** The earlier path of a renamed or copied file. */
  readonly previousPath: string | undefined;
  readonly status: "added" | "deleted" | "modified" | "renamed" | "copied" | "type-changed";
  /** Number of lines; `undefined` for a binary file. */
  readonly additions: number | undefined;
  readonly deletions: number | undefined;
  /** A unified diff; `undefined` if it was left out. */
  readonly patch: string | undefined;
  /** Whether the patch is truncated or left out. */
  readonly truncated: boolean;
}

/** How two commits differ. */
export interface Difference {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly files: readonly FileDifference[];
  /** Whether files or parts of patches were left out. */
  readonly truncated: boolean;
}

/** A path in a repository. Defaults: the default branch and the root. */
export interface BrowseLocation {
  readonly ref?: string | undefined;
  readonly path?: string | undefined;
}

/** Reads the organizations' repositories. Throws a `Problem` 404 that names what does not exist. */
export interface RepositoryBrowser {
  listBranches(organization: string, query: PageQuery, signal?: AbortSignal): Promise<Page<Branch>>;
  listCommits(
    organization: string,
    query: BrowseLocation & PageQuery,
    signal?: AbortSignal,
  ): Promise<Page<Commit>>;
  readFolder(organization: string, location: BrowseLocation, signal?: AbortSignal): Promise<Folder>;
  readFile(
    organization: string,
    query: BrowseLocation & { readonly maxBytes: number },
    signal?: AbortSignal,
  ): Promise<RepositoryFile>;
  /** Default for `from`: the parent of `to`. */
  compare(
    organization: string,
    query: {
      readonly from?: string | undefined;
      readonly to?: string | undefined;
      readonly path?: string | undefined;
    },
    signal?: AbortSignal,
  ): Promise<Difference>;
}
