import type { ToolManifest } from "../project/manifest.ts";

/** A version's number. */
export interface VersionNumber {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** A version that can be invoked. */
export interface ResolvedVersion {
  readonly id: string;
  readonly organization: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly number: VersionNumber;
  /** `1.2.3` */
  readonly text: string;
  readonly manifest: ToolManifest;
  readonly artifactDigest: string;
}

/** Finds versions. */
export interface VersionResolver {
  /**
   * By an exact version, `latest` or a constraint, the highest that is not deprecated. Throws a
   * `Problem` 404. Answers at once where it can.
   */
  resolve(
    organization: string,
    toolId: string,
    version: string,
  ): ResolvedVersion | Promise<ResolvedVersion>;
}

/** Reads a tool's variables, opened, by name. Answers at once where it can. */
export interface VariableReader {
  read(
    organization: string,
    toolId: string,
    names: readonly string[],
  ): Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
}

/** Keeps artifacts by their digest. */
export interface ArtifactStore {
  /** Keeps it, once. */
  put(digest: string, content: Uint8Array): Promise<void>;
  /** Throws if there is none, or what is there is not what it was. */
  get(digest: string): Promise<Uint8Array>;
}
