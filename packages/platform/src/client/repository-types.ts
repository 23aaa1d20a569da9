// What the repository's routes answer, under the wire's own names.

interface TextPage {
  readonly has_more: boolean;
  readonly continuation_token: string | null;
}

export interface TextPageQuery {
  readonly limit?: number;
  readonly continuation_token?: string;
}

/** A location in the repository. Default: the root of the default branch. */
export interface RepositoryLocation {
  /** A branch, a tag, or a commit's hash. */
  readonly ref?: string;
  readonly path?: string;
}

export interface BranchPage extends TextPage {
  readonly branches: readonly {
    readonly name: string;
    readonly commit: string;
    readonly updated_at: string;
  }[];
}

export interface CommitPage extends TextPage {
  readonly commits: readonly {
    readonly hash: string;
    readonly parents: readonly string[];
    readonly author: string;
    readonly email: string;
    readonly date: string;
    readonly subject: string;
    readonly body: string;
  }[];
}

export interface RepositoryTree {
  /** `null` where nothing was pushed yet. */
  readonly commit: string | null;
  readonly path: string;
  readonly entries: readonly {
    readonly name: string;
    readonly path: string;
    readonly type: "file" | "directory" | "symlink" | "submodule";
    readonly mode: string;
    readonly size: number | null;
  }[];
}

export interface RepositoryFile {
  readonly commit: string;
  readonly path: string;
  readonly type: "file" | "symlink";
  readonly mode: string;
  readonly size: number;
  readonly encoding: "utf-8" | "base64";
  readonly content: string;
}

export interface RepositoryDiff {
  readonly from: string | null;
  readonly to: string | null;
  readonly files: readonly {
    readonly path: string;
    readonly previous_path: string | null;
    readonly status: "added" | "deleted" | "modified" | "renamed" | "copied" | "type-changed";
    readonly additions: number | null;
    readonly deletions: number | null;
    readonly patch: string | null;
    readonly truncated: boolean;
  }[];
  readonly truncated: boolean;
}
