import type { ProjectTree } from "../git/repositories.ts";
import type { JsonObject } from "../json.ts";
import { newId } from "../new-id.ts";
import { defaultSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import { createOutputCheck } from "../project/check-output.ts";
import { createInputValidator } from "../project/input-validator.ts";
import { readManifest } from "../project/read-manifest.ts";
import { createRunner } from "../runner/create-runner.ts";
import type { ToolRunResult } from "../runner/runner.ts";
import { createBuilder } from "./create-builder.ts";
import { chooseVariables, toTestProgram } from "./create-tester.ts";

/** Values for the variables that a project requires. */
export interface ProjectVariables {
  readonly envvars: Readonly<Record<string, string>>;
  readonly secretEnvvars: Readonly<Record<string, string>>;
}

/** A project that was built, and can be run. */
export interface BuiltProject {
  /** Runs an input in a sandbox. Throws a `Problem` 400 if it does not match the input schema. */
  run(input: JsonObject, signal: AbortSignal): Promise<ToolRunResult>;
}

/** Builds and runs projects of this machine in sandboxes, without a platform. */
export interface ProjectRunner {
  /** Checks and builds a project, without its tests. Throws a `Problem` 400 that names the place. */
  build(
    project: ProjectTree,
    variables: ProjectVariables,
    signal: AbortSignal,
  ): Promise<BuiltProject>;
  close(): Promise<void>;
}

const organization = "dev";

/** Opens a runner of projects that keeps its files in a directory of its own. */
export function openProjectRunner(directory: string): ProjectRunner {
  const settings = { ...defaultSettings, runner: { ...defaultSettings.runner, blankWorkers: 1 } };
  const builder = createBuilder({ settings, directory: `${directory}/build`, runsTests: false });
  const runner = createRunner({
    settings: settings.runner,
    privateHosts: settings.privateHosts,
    directory: `${directory}/runner`,
  });
  return {
    build: async (project, variables, signal) => {
      const config = chooseVariables(readManifest(project, settings), variables);
      const built = await builder.build(project, {
        ...{ organization, signal },
        onProgress: () => undefined,
        onLog: () => undefined,
      });
      await runner.ready();
      const program = toTestProgram(organization, built);
      const validate = createInputValidator(built.manifest.inputSchema);
      const checkOutput = createOutputCheck(built.manifest.outputSchema);
      return {
        run: async (input, runSignal) => {
          const complaint = validate(input);
          if (complaint !== undefined) {
            throw new Problem(400, `It does not match the tool's input schema: ${complaint}.`);
          }
          const result = await runner.run(program, {
            ...{ invocationId: newId(), mode: "regular", input, config, conversation: null },
            ...{ userVariables: {}, sensitiveUserVariables: {}, signal: runSignal },
            secrets: Object.values(variables.secretEnvvars),
          });
          return checkOutput(result);
        },
      };
    },
    close: async () => {
      await Promise.all([builder.close(), runner.close(0)]);
    },
  };
}
