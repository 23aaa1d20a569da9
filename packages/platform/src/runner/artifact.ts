import { createHash } from "node:crypto";

/** A built tool as it is stored: JSON in UTF-8. Immutable and identified by its digest. */
export type Artifact =
  | {
      readonly runtime: "node";
      /** One module that exports `runTool` and imports only modules of Node. */
      readonly code: string;
      /** CommonJS can be evaluated for each invocation. Default: an ECMAScript module. */
      readonly format?: "commonjs";
      /** The source map of the code, for stack traces. */
      readonly sourceMap?: string;
    }
  | {
      readonly runtime: "python";
      /** The module that defines `run_tool`, such as `src.tool`. */
      readonly module: string;
      /** All files by path, in base64. */
      readonly files: Readonly<Record<string, string>>;
    };

/** Serialises an artifact. The same artifact always has the same bytes and digest. */
export function packArtifact(artifact: Artifact): { bytes: Uint8Array; digest: string } {
  const bytes = Buffer.from(JSON.stringify(artifact));
  return { bytes, digest: createHash("sha256").update(bytes).digest("hex") };
}

/** Parses the bytes that `packArtifact` returned. */
export function unpackArtifact(bytes: Uint8Array): Artifact {
  return JSON.parse(Buffer.from(bytes).toString("utf8")) as Artifact;
}
