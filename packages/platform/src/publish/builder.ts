import type { ProjectTree } from "../git/repositories.ts";
import type { ToolManifest } from "../project/manifest.ts";

/** A step on the way from a project to an artifact. */
export interface BuildProgress {
  readonly state: "checking" | "building" | "storing" | "active" | "failed";
  /** One line for a person. */
  readonly message: string;
}

/** What a project was made into. */
export interface BuiltTool {
  readonly manifest: ToolManifest;
  /** See `runner/artifact.ts`. */
  readonly artifact: Uint8Array;
  /** SHA-256 of the artifact, in hexadecimal. */
  readonly digest: string;
  readonly lockfileDigest: string | null;
  /** Everything that the checks and the build printed. */
  readonly log: string;
}

/** Checks projects and makes them into artifacts, in a sandbox. */
export interface Builder {
  /** Throws a `Problem` 400 whose sentence names what failed, with the log's end. */
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
