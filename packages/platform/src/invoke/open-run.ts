import type { ToolProgram, ToolRun } from "../runner/runner.ts";
import type { ResolvedVersion, VersionResolver } from "../versions/resolved-version.ts";
import { type AcceptedInput, type InvokerParts, requireVariables } from "./create-invoker.ts";
import { fillVariables, toRun } from "./fill-variables.ts";
import type { HideSecrets } from "./hide-secrets.ts";
import { createVersionPreparation, type PreparedVersion } from "./prepared-version.ts";

/** A run of an accepted input, with variables as they are now. */
export interface OpenedRun {
  readonly program: ToolProgram;
  readonly run: ToolRun;
  readonly hide: HideSecrets;
  readonly checkOutput: PreparedVersion["checkOutput"];
  readonly version: ResolvedVersion;
}

/** Opens a run of an accepted input on its own version, even if that was deprecated since. */
export type OpenRun = (accepted: AcceptedInput) => Promise<OpenedRun>;

/** Creates what opens runs of accepted inputs. */
export function createRunOpener(
  parts: Pick<InvokerParts, "variables" | "artifacts" | "readUserVariables"> & {
    readonly versions: Pick<VersionResolver, "resolveId">;
  },
): OpenRun {
  const prepareVersion = createVersionPreparation(parts.artifacts);
  return async ({ draft, versionId, request }) => {
    const { org_id: organization, tool_id: toolId } = draft;
    const prepared = prepareVersion(await parts.versions.resolveId(organization, versionId));
    const variables = await parts.variables.read(organization, toolId);
    requireVariables(prepared, variables.values);
    const user = await parts.readUserVariables?.(organization, request.userId);
    const { input, conversation } = request;
    const filled = fillVariables(input, { variables, user });
    return {
      version: prepared.version,
      program: prepared.program,
      checkOutput: prepared.checkOutput,
      hide: filled.hide,
      run: toRun(draft.id, input, { variables, conversation, filled }),
    };
  };
}
