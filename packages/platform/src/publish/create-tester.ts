import type { Principal } from "../auth/principal.ts";
import type { Repositories } from "../git/repositories.ts";
import type { JsonObject } from "../json.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { createOutputCheck } from "../project/check-output.ts";
import { createInputValidator } from "../project/input-validator.ts";
import type { ToolManifest } from "../project/manifest.ts";
import type { ManifestDraft } from "../project/manifest-draft.ts";
import { readManifest } from "../project/read-manifest.ts";
import type { InvocationMode, Runner, ToolProgram, ToolRunResult } from "../runner/runner.ts";
import type { Builder, BuiltTool } from "./builder.ts";
import { runCases } from "./run-cases.ts";

/** A test of a branch's head, with inputs and values for its variables. */
export interface TestOrder {
  readonly branch: string;
  readonly projectPath: string;
  readonly envvars: Readonly<Record<string, string>>;
  readonly secretEnvvars: Readonly<Record<string, string>>;
  readonly inputs: readonly TestInput[];
}

/** One input of a test. */
export interface TestInput {
  readonly parameters: JsonObject;
  readonly mode: InvocationMode;
  readonly userVariables: Readonly<Record<string, string>>;
  readonly sensitiveUserVariables: Readonly<Record<string, string>>;
}

/** Runs tools without publishing them. Nothing is stored. */
export interface Tester {
  /** Throws a `Problem`: 404 for an unknown branch or folder, 400 for an invalid project or input. */
  test(
    principal: Principal,
    order: TestOrder,
    signal?: AbortSignal,
  ): Promise<readonly ToolRunResult[]>;
}

/** The services that a tester uses. */
export interface TesterParts extends Pick<PlatformParts, "settings" | "now"> {
  readonly repositories: Pick<Repositories, "findBranch" | "readProject">;
  readonly builder: Builder;
  readonly runner: Pick<Runner, "run">;
}

/** Creates a tester. */
export function createTester({
  repositories,
  builder,
  runner,
  settings,
  now,
}: TesterParts): Tester {
  return {
    test: async ({ organization }, order, signal) => {
      const commit = await repositories.findBranch(organization, order.branch);
      if (commit === undefined) {
        throw new Problem(
          404,
          `The repository has no branch ${order.branch}. Push it first: git push origin HEAD:${order.branch}`,
        );
      }
      const location = { commit, path: order.projectPath };
      const project = await repositories.readProject(organization, location);
      const draft = readManifest(project, settings);
      const config = chooseVariables(draft, order);
      // Checked before the build if tool.json has the schema: the build takes long.
      if (draft.inputSchema !== undefined) {
        requireFitting(order, { ...draft, inputSchema: draft.inputSchema });
      }
      const built = await builder.build(project, {
        organization,
        onProgress: () => undefined,
        onLog: () => undefined,
        ...(signal !== undefined && { signal }),
      });
      requireFitting(order, built.manifest);
      const program = toTestProgram(organization, built);
      const variables = { values: config, secrets: Object.values(order.secretEnvvars) };
      await runCases(project, built, { runner, program, variables, signal });
      const checkOutput = createOutputCheck(built.manifest.outputSchema);
      return Promise.all(
        order.inputs.map(async (input) =>
          checkOutput(
            await runner.run(program, {
              invocationId: newId(now()),
              mode: input.mode,
              input: input.parameters,
              config,
              conversation: null,
              userVariables: input.userVariables,
              sensitiveUserVariables: input.sensitiveUserVariables,
              ...(signal !== undefined && { signal }),
            }),
          ),
        ),
      );
    },
  };
}

/** Returns all given variables, plain and secret. Throws if one that the project requires is missing. */
export function chooseVariables(
  { requiredEnvvars, requiredSecretEnvvars }: ManifestDraft,
  { envvars, secretEnvvars }: Pick<TestOrder, "envvars" | "secretEnvvars">,
): Readonly<Record<string, string>> {
  const both = Object.keys(envvars).find((name) => Object.hasOwn(secretEnvvars, name));
  if (both !== undefined) {
    throw new Problem(
      400,
      `${both} is in both required_envvars and required_secret_envvars. Remove it from one of them.`,
    );
  }
  const require = (names: readonly string[], given: object, field: string): void => {
    const missing = names.find((name) => !Object.hasOwn(given, name));
    if (missing === undefined) return;
    throw new Problem(400, `tool.json requires ${missing}. Add its value to ${field}.`);
  };
  require(requiredEnvvars, envvars, "required_envvars");
  require(requiredSecretEnvvars, secretEnvvars, "required_secret_envvars");
  return { ...envvars, ...secretEnvvars };
}

function requireFitting(
  { inputs }: TestOrder,
  { inputSchema }: Pick<ToolManifest, "inputSchema">,
): void {
  const validate = createInputValidator(inputSchema);
  for (const [index, { parameters }] of inputs.entries()) {
    const wrong = validate(parameters);
    if (wrong !== undefined) {
      throw new Problem(400, `inputs[${index}].input_parameters: ${wrong}.`);
    }
  }
}

/** Returns the program of a tool that is built and not published yet. */
export function toTestProgram(
  organization: string,
  { manifest, digest, artifact }: BuiltTool,
): ToolProgram {
  return {
    organization,
    toolId: "test",
    name: manifest.name,
    version: "test",
    runtime: manifest.runtime,
    digest,
    load: async () => artifact,
    allowedHosts: manifest.allowedHosts,
    simulationHosts: manifest.simulationHosts,
    ...manifest.limits,
    ...(manifest.reuse && { reuse: manifest.reuse }),
  };
}
