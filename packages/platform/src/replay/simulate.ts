import { createHideSecrets } from "../invoke/hide-secrets.ts";
import type { JsonObject } from "../json.ts";
import { newId } from "../new-id.ts";
import type { OutputCheck } from "../project/check-output.ts";
import type { Runner, ToolProgram } from "../runner/runner.ts";
import type { ToolVariables } from "../versions/resolved-version.ts";
import type { EndedRun } from "./compare-results.ts";

/** A tool to run. */
export interface SimulatedTool {
  readonly program: ToolProgram;
  readonly checkOutput: OutputCheck;
}

/** Runs an input in simulation mode. Secrets in the result are masked, as history masks them. */
export type Simulate = (tool: SimulatedTool, input: JsonObject) => Promise<EndedRun>;

/** Creates a function that runs inputs with a tool's variables. Nothing is recorded. */
export function createSimulation(
  runner: Pick<Runner, "run">,
  { values, secrets }: ToolVariables,
  signal: AbortSignal | undefined,
): Simulate {
  const hide = createHideSecrets(secrets);
  return async ({ program, checkOutput }, input) => {
    const ended = checkOutput(
      await runner.run(program, {
        ...({ invocationId: newId(), mode: "conversation-simulation" } as const),
        ...{ input, config: values, conversation: null, secrets },
        ...{ userVariables: {}, sensitiveUserVariables: {} },
        ...(signal !== undefined && { signal }),
      }),
    );
    return ended.succeeded
      ? { succeeded: true, output: hide.inText(ended.output) }
      : {
          succeeded: false,
          error: hide.inText(toErrorText(ended.exceptionType, ended.exceptionMessage)),
        };
  };
}

/** Returns an error as it is compared: `RangeError: too long`. */
export function toErrorText(type: string | null, message: string | null): string {
  return `${type ?? ""}: ${message ?? ""}`;
}
