import type { Selectable } from "kysely";
import { type Acceptance, createAcceptance } from "../../async/accept.ts";
import { createInvocationEvents } from "../../async/events.ts";
import type { Principal } from "../../auth/principal.ts";
import { createTestParts, type TestParts } from "../../auth/test-support/create-test-parts.ts";
import { createHistory } from "../../history/create-history.ts";
import { newId } from "../../new-id.ts";
import type { PlatformParts } from "../../platform-parts.ts";
import { Problem } from "../../problem.ts";
import type { ToolManifest } from "../../project/manifest.ts";
import type { Runner, ToolProgram, ToolRun, ToolRunResult } from "../../runner/runner.ts";
import type { InvocationRow } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { ResolvedVersion } from "../../versions/resolved-version.ts";
import { createCallers } from "../callers.ts";
import { createInvoker, type Invoker, type InvokerParts } from "../create-invoker.ts";
import { createIdempotency, type Idempotency } from "../idempotency.ts";
import type { InvokeInput } from "../invoke-request.ts";

/** An invoker on a store with one tool, whose runs are functions of the test's. */
export interface InvokeBench {
  readonly parts: TestParts;
  readonly invoker: Invoker;
  readonly idempotency: Idempotency;
  readonly acceptance: Acceptance;
  readonly principal: Principal;
  readonly version: ResolvedVersion;
  /** What the tool does. */
  act: (run: ToolRun, program: ToolProgram) => ToolRunResult | Promise<ToolRunResult>;
  /** What was run so far. */
  readonly runs: ToolRun[];
  /** The tool's variables. Those whose names contain TOKEN are secret. */
  variables: Record<string, string>;
  rows(): Promise<Selectable<InvocationRow>[]>;
  close(): Promise<void>;
}

/** What a bench can be given instead of its own. */
export interface BenchOptions {
  readonly manifest?: Partial<ToolManifest>;
  readonly parts?: Partial<PlatformParts>;
  readonly invoker?: Partial<InvokerParts>;
}

/** Makes a bench on an empty store. */
export function openInvokeBench(store: Store, options: BenchOptions = {}): InvokeBench {
  const parts = createTestParts(store, options.parts);
  const history = createHistory(parts);
  const principal = makePrincipal();
  const version = makeVersion(principal.organization, options.manifest);
  const runs: ToolRun[] = [];
  const runner: Pick<Runner, "run"> = {
    run: async (program, run) => {
      runs.push(run);
      return bench.act(run, program);
    },
  };
  const bench: InvokeBench = {
    parts,
    principal,
    version,
    runs,
    variables: {},
    act: () => succeed("ok"),
    idempotency: createIdempotency(parts),
    acceptance: createAcceptance({ ...parts, events: createInvocationEvents(parts) }),
    invoker: createInvoker({
      now: parts.now,
      runner,
      history,
      versions: {
        resolve: (organization, toolId, text) => {
          const isKnown = ["1.2.3", "latest", ">=1,<2"].includes(text);
          if (organization === version.organization && toolId === version.toolId && isKnown) {
            return version;
          }
          throw new Problem(404, "There is no such version of the tool.");
        },
      },
      variables: {
        read: () => {
          const secrets = Object.entries(bench.variables).filter(([name]) => /TOKEN/u.test(name));
          return { values: bench.variables, secrets: secrets.map(([, value]) => value) };
        },
      },
      artifacts: { get: async () => new Uint8Array() },
      callers: createCallers(store),
      ...options.invoker,
    }),
    rows: () => store.db.selectFrom("invocations").selectAll().orderBy("seq").execute(),
    close: () => history.close(),
  };
  return bench;
}

/** A run that went well. */
export function succeed(output: string): ToolRunResult {
  return { succeeded: true, output, durationMs: 1.6 };
}

/** A run that failed. */
export function fail(message: string, stack: readonly string[] = []): ToolRunResult {
  return {
    succeeded: false,
    exceptionType: "RangeError",
    exceptionMessage: message,
    exceptionStackTrace: stack,
    durationMs: 2,
  };
}

/** An input as the wire has it. */
export function makeInput(over: Partial<InvokeInput> = {}): InvokeInput {
  return {
    input_parameters: { word: "hello" },
    invocation_mode: "regular",
    nonsensitive_user_variables: {},
    sensitive_user_variables: {},
    ...over,
  };
}

/** A principal with all permissions. */
export function makePrincipal(over: Partial<Principal> = {}): Principal {
  return {
    organization: newId(),
    userId: newId(),
    keyId: newId(),
    role: "administrator",
    may: () => true,
    ...over,
  };
}

/** A version with a schema that wants a word. */
export function makeVersion(
  organization: string,
  manifest: Partial<ToolManifest> = {},
): ResolvedVersion {
  return {
    id: newId(),
    organization,
    toolId: newId(),
    toolName: "greeter",
    number: { major: 1, minor: 2, patch: 3 },
    text: "1.2.3",
    artifactDigest: "0".repeat(64),
    manifest: {
      name: "greeter",
      description: "Greets.",
      runtime: "node",
      inputSchema: {
        type: "object",
        properties: { word: { type: "string" }, times: { type: "integer" } },
        required: ["word"],
      },
      requiredEnvvars: [],
      requiredSecretEnvvars: [],
      allowedHosts: [],
      simulationHosts: [],
      limits: { timeoutMs: 1_000, memoryMb: 128 },
      ...manifest,
    },
  };
}
