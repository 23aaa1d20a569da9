import type { Principal } from "../auth/principal.ts";
import type { Bump } from "../versions/next-version.ts";
import type { BuildProgress } from "./builder.ts";

/** What is to be published. */
export interface PublishOrder {
  readonly toolId: string;
  /** Relative to the repository's root. */
  readonly projectPath: string;
  readonly bump: Bump;
}

/** Who wants to know how it is going. */
export interface PublishListener {
  onProgress(progress: BuildProgress): void;
  onLog(line: string): void;
}

/** Publishes versions of tools. */
export interface Publisher {
  /** Throws a `Problem`: 404, 409 if the tool is being worked on, or 400 with what to mend. */
  publish(
    principal: Principal,
    order: PublishOrder,
    listener: PublishListener,
  ): Promise<{ readonly newVersion: string }>;
  /** Takes away what a server that was killed left behind. To be called at the start. */
  recover(): Promise<void>;
}
