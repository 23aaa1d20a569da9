import { createInputValidator, type InputValidator } from "../project/input-validator.ts";
import type { ToolProgram } from "../runner/runner.ts";
import type { ArtifactStore, ResolvedVersion } from "../versions/resolved-version.ts";

/** A version with everything that is made of it once. */
export interface PreparedVersion {
  readonly version: ResolvedVersion;
  readonly program: ToolProgram;
  /** The variables that it needs. */
  readonly variables: readonly string[];
  readonly validate: InputValidator;
}

const most = 1_000;

/** Makes what prepares versions. They never change, so those in use are kept. */
export function createVersionPreparation(
  artifacts: Pick<ArtifactStore, "get">,
): (version: ResolvedVersion) => PreparedVersion {
  const known = new Map<string, PreparedVersion>();
  return (version) => {
    const found = known.get(version.id);
    if (found !== undefined) return found;
    const prepared = prepare(version, artifacts);
    const [oldest] = known.keys();
    if (known.size >= most && oldest !== undefined) known.delete(oldest);
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
      version: version.text,
      runtime: manifest.runtime,
      digest,
      load: () => artifacts.get(digest),
      allowedHosts,
      simulationHosts,
      timeoutMs: manifest.limits.timeoutMs,
      memoryMb: manifest.limits.memoryMb,
    },
    variables: [...new Set([...requiredEnvvars, ...requiredSecretEnvvars])],
    validate: createInputValidator(manifest.inputSchema),
  };
}
