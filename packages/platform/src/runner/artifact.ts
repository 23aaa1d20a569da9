import { createHash } from "node:crypto";

/** What is run, as it is kept: JSON in UTF-8. Immutable, and known by its digest. */
export type Artifact =
  | {
      readonly runtime: "node";
      /** One ECMAScript module that exports `runTool`, without imports but of `node:` modules. */
      readonly code: string;
      /** Where lines of the code come from, for stack traces. */
      readonly sourceMap?: string;
    }
  | {
      readonly runtime: "python";
      /** The module that has `run_tool`, such as `src.tool`. */
      readonly module: string;
      /** Every file by its path, in base64. */
      readonly files: Readonly<Record<string, string>>;
    };

/** The bytes of an artifact, and their digest. The same artifact always has the same. */
export function packArtifact(artifact: Artifact): { bytes: Uint8Array; digest: string } {
  const bytes = Buffer.from(JSON.stringify(artifact));
  return { bytes, digest: createHash("sha256").update(bytes).digest("hex") };
}

/** Reads an artifact's bytes, which were packed by `packArtifact`. */
export function unpackArtifact(bytes: Uint8Array): Artifact {
  return JSON.parse(Buffer.from(bytes).toString("utf8")) as Artifact;
}
