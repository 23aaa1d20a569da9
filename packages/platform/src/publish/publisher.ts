import type { Principal } from "../auth/principal.ts";
import type { Bump } from "../versions/next-version.ts";
import type { BuildProgress } from "./builder.ts";

/** A request to publish a tool. */
export interface PublishOrder {
  readonly toolId: string;
  /** Relative to the repository's root. */
  readonly projectPath: string;
  readonly bump: Bump;
  /** `main` for shared tools. Default: the organization's release branch. */
  readonly repo?: "main" | "team";
  /** Whether only its exact number is to name the version. */
  readonly isCandidate?: boolean;
}

/** Receives the progress and the log of a publish. */
export interface PublishListener {
  onProgress(progress: BuildProgress): void;
  onLog(line: string): void;
}

/** Publishes versions of tools. */
export interface Publisher {
  /**
   * Throws a `Problem`: 404, 409 if another operation holds the tool, or 400 for an invalid
   * project.
   */
  publish(
    principal: Principal,
    order: PublishOrder,
    listener: PublishListener,
  ): Promise<{
    readonly newVersion: string;
    /** The version before, if it was published from the same commit. */
    readonly sameCommitAs?: string | undefined;
  }>;
  /** Removes what killed servers left behind. Call it at startup. */
  recover(): Promise<void>;
}
