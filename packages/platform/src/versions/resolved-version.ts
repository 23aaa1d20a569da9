import type { ToolManifest } from "../project/manifest.ts";
import type { CanarySide } from "./canary-counter.ts";

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
  /** Set while a canary gets a part of the calls that `latest` names. */
  readonly trial?: CanaryTrial;
}

/** The canary that a call takes part in. */
export interface CanaryTrial extends CanarySide {
  /** The version that `latest` names. It serves calls that the canary refuses. */
  readonly stable: ResolvedVersion;
}

/** Finds versions. */
export interface VersionResolver {
  /**
   * By an exact version, `latest` or a constraint, the highest that is not deprecated. While a canary
   * runs, `latest` is its version for a part of the calls, and always the same one for a
   * conversation. Throws a `Problem` 404. Answers at once where it can.
   */
  resolve(
    organization: string,
    toolId: string,
    version: string,
    conversationId?: string | null,
  ): ResolvedVersion | Promise<ResolvedVersion>;
  /** By its ID, deprecated or not. Throws a `Problem` 404. */
  resolveId(organization: string, versionId: string): Promise<ResolvedVersion>;
}

/** A tool's variables, opened. */
export interface ToolVariables {
  /** All of them by name, plain and secret. */
  readonly values: Readonly<Record<string, string>>;
  /** The values of the secret ones. */
  readonly secrets: readonly string[];
}

/** Reads all variables of a tool. Answers at once where it can. */
export interface VariableReader {
  read(organization: string, toolId: string): ToolVariables | Promise<ToolVariables>;
}

/** Keeps artifacts by their digest. */
export interface ArtifactStore {
  /** Keeps it, once. */
  put(digest: string, content: Uint8Array): Promise<void>;
  /** Throws if there is none, or what is there is not what it was. */
  get(digest: string): Promise<Uint8Array>;
}
