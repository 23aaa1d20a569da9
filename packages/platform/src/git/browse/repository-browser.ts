/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the rest begins, `undefined` at the end. */
  readonly continuationToken: string | undefined;
}

/** Which part of a list is wanted. */
export interface PageQuery {
  readonly limit: number;
  readonly continuationToken?: string | undefined;
}

/** A branch, and when its last commit was made. */
export interface Branch {
  readonly name: string;
  readonly commit: string;
  /** Milliseconds. */
  readonly updatedAt: number;
}

/** One commit. */
export interface Commit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly email: string;
  /** Of the author's, in milliseconds. */
  readonly date: number;
  readonly subject: string;
  readonly body: string;
}

/** One entry of a folder. A link is shown, never followed. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly type: "file" | "directory" | "symlink" | "submodule";
  readonly mode: string;
  readonly size: number | undefined;
}

/** A folder at a commit; `commit` is `undefined` where nothing was pushed yet. */
export interface Folder {
  readonly commit: string | undefined;
  readonly path: string;
  readonly entries: readonly FolderEntry[];
}

/** A file or link at a commit; a link's content is where it points. */
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
  /** Where it was before it was moved. */
  readonly previousPath: string | undefined;
  readonly status: "added" | "deleted" | "modified" | "renamed" | "copied" | "type-changed";
  /** Lines; `undefined` for what is not text. */
  readonly additions: number | undefined;
  readonly deletions: number | undefined;
  /** In the unified form; `undefined` if it was left out. */
  readonly patch: string | undefined;
  /** Whether the patch is cut off or left out. */
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

/** A place in a repository; without `ref` the default branch, without `path` the root. */
export interface BrowsePlace {
  readonly ref?: string | undefined;
  readonly path?: string | undefined;
}

/** Looks into the organizations' repositories. What does not exist is a `Problem` 404 that names it. */
export interface RepositoryBrowser {
  listBranches(organization: string, query: PageQuery, signal?: AbortSignal): Promise<Page<Branch>>;
  listCommits(
    organization: string,
    query: BrowsePlace & PageQuery,
    signal?: AbortSignal,
  ): Promise<Page<Commit>>;
  readFolder(organization: string, place: BrowsePlace, signal?: AbortSignal): Promise<Folder>;
  readFile(
    organization: string,
    query: BrowsePlace & { readonly mostBytes: number },
    signal?: AbortSignal,
  ): Promise<RepositoryFile>;
  /** Without `from`, from what came before `to`. */
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
