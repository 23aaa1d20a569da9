import { Problem } from "../problem.ts";
import { createOutputCheck, type OutputCheck } from "../project/check-output.ts";
import { createInputValidator, type InputValidator } from "../project/input-validator.ts";
import type { ToolProgram } from "../runner/runner.ts";
import type { ArtifactStore, ResolvedVersion } from "../versions/resolved-version.ts";

/** A version with its compiled validator and its program. */
export interface PreparedVersion {
  readonly version: ResolvedVersion;
  readonly program: ToolProgram;
  /** The names of its required variables. */
  readonly variables: readonly string[];
  readonly validate: InputValidator;
  readonly checkOutput: OutputCheck;
}

const maxPreparedVersions = 1_000;

/** Creates a cache of prepared versions. Versions never change. */
export function createVersionPreparation(
  artifacts: Pick<ArtifactStore, "get">,
): (version: ResolvedVersion) => PreparedVersion {
  const known = new Map<string, PreparedVersion>();
  return (version) => {
    const found = known.get(version.id);
    if (found !== undefined) return found;
    const prepared = prepare(version, artifacts);
    const [oldest] = known.keys();
    if (known.size >= maxPreparedVersions && oldest !== undefined) known.delete(oldest);
    known.set(version.id, prepared);
    return prepared;
  };
}

function prepare(version: ResolvedVersion, artifacts: Pick<ArtifactStore, "get">): PreparedVersion {
  const { manifest, organization, toolId, artifactDigest: digest } = version;
  const { requiredEnvvars, requiredSecretEnvvars, allowedHosts, simulationHosts } = manifest;
  return {
    version,
    program: {
      organization,
      toolId,
      name: manifest.name,
      version: version.text,
      runtime: manifest.runtime,
      digest,
      load: () => artifacts.get(digest),
      allowedHosts,
      simulationHosts,
      timeoutMs: manifest.limits.timeoutMs,
      memoryMb: manifest.limits.memoryMb,
      ...(manifest.reuse && { reuse: manifest.reuse }),
    },
    variables: [...new Set([...requiredEnvvars, ...requiredSecretEnvvars])],
    validate: createValidator(version),
    checkOutput: createOutputCheck(manifest.outputSchema),
  };
}

/** An old version may have a schema that is no longer accepted. */
function createValidator({ text, manifest }: ResolvedVersion): InputValidator {
  try {
    return createInputValidator(manifest.inputSchema);
  } catch (error) {
    const why = (error as Error).message;
    return () => {
      throw new Problem(
        400,
        `The input schema of version ${text} can't be used: ${why}. Nothing was run. Publish a version with a different schema.`,
      );
    };
  }
}
