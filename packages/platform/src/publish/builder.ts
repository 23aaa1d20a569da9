import type { ProjectTree } from "../git/repositories.ts";
import type { ToolManifest } from "../project/manifest.ts";

/** The progress of a build. */
export interface BuildProgress {
  readonly state: "checking" | "building" | "storing" | "active" | "failed";
  /** One line for a person. */
  readonly message: string;
}

/** A built tool. */
export interface BuiltTool {
  readonly manifest: ToolManifest;
  /** See `runner/artifact.ts`. */
  readonly artifact: Uint8Array;
  /** SHA-256 of the artifact, in hexadecimal. */
  readonly digest: string;
  readonly lockfileDigest: string | null;
  /** The output of the checks and the build. */
  readonly log: string;
}

/** Checks projects and builds artifacts from them, in a sandbox. */
export interface Builder {
  /** Throws a `Problem` 400 that names what failed and quotes the end of the log. */
  build(
    project: ProjectTree,
    options: {
      readonly organization: string;
      onProgress(progress: BuildProgress): void;
      onLog(line: string): void;
      readonly signal?: AbortSignal;
    },
  ): Promise<BuiltTool>;
  close(): Promise<void>;
}
