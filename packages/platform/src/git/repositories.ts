import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../auth/principal.ts";

/** The files of a folder at a commit, by path relative to it. Plain files only. */
export type ProjectTree = ReadonlyMap<string, Uint8Array>;

/** The organizations' git repositories. */
export interface Repositories {
  /** Returns the commit of a branch; `undefined` if there is no such branch. */
  findBranch(organization: string, branch: string): Promise<string | undefined>;
  /** Tells whether `ancestor` is reachable from `commit`. */
  isAncestor(
    organization: string,
    commits: { readonly ancestor: string; readonly commit: string },
  ): Promise<boolean>;
  /**
   * Reads a folder at a commit. Throws a `Problem`: 404 if there is no such folder, 400 if it contains
   * a link or a submodule, or is too large.
   */
  readProject(
    organization: string,
    location: { readonly commit: string; readonly path: string },
  ): Promise<ProjectTree>;
  /**
   * Serves git's smart HTTP. `path` is what follows `/tool/git/`. Problems are sent as the
   * response.
   */
  serve(
    request: IncomingMessage,
    response: ServerResponse,
    location: {
      readonly principal: Pick<Principal, "organization" | "userId" | "keyId">;
      readonly path: string;
    },
  ): Promise<void>;
}
