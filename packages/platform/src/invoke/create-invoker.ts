import type { Principal } from "../auth/principal.ts";
import { type History, type InvocationDraft, NotRecorded } from "../history/history.ts";
import { toLogs } from "../history/to-invocation.ts";
import type { JsonObject } from "../json.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { Runner, ToolRun } from "../runner/runner.ts";
import type { CanaryCounter, CanarySide } from "../versions/canary-counter.ts";
import type {
  ArtifactStore,
  ResolvedVersion,
  ToolVariables,
  VariableReader,
  VersionResolver,
} from "../versions/resolved-version.ts";
import type { Callers } from "./callers.ts";
import { fillVariables, toRun, type UserVariableValues } from "./fill-variables.ts";
import {
  type CallOrigin,
  type RowOrigin,
  toDraft,
  toRow,
  toSourceColumns,
} from "./invocation-rows.ts";
import type { InvocationResult, InvokeInput, InvokeRequest } from "./invoke-request.ts";
import { createVersionPreparation, type PreparedVersion } from "./prepared-version.ts";
import { toInvocationResult } from "./to-invocation-result.ts";

/** A call of a tool by a principal. */
export interface InvokeCall {
  readonly principal: Principal;
  readonly toolId: string;
  /** Exact, `latest` or a constraint. */
  readonly version: string;
  readonly request: InvokeRequest;
  /** What the caller says its program is: its User-Agent, or its name over MCP. */
  readonly client?: string | undefined;
  /** How the call came, if the request names no conversation. Default: `direct`. */
  readonly via?: CallOrigin;
  /** The invocation that this call repeats. */
  readonly retryOf?: string;
}

/** Options of an invocation. */
export interface InvokeOptions {
  /** Read only if the invocation takes a while. */
  readonly signal?: AbortSignal | undefined;
  onStatus?(inputIndex: number, event: unknown): void;
  /** Called with the ID of the invocation of an input when it begins. */
  onBegin?(inputIndex: number, invocationId: string): void;
  /** Whether each result has the ID of its invocation and what the tool printed. */
  readonly withLogs?: boolean;
}

/** A call that has passed every check and has not started. */
export interface ReadyCall {
  readonly version: ResolvedVersion;
  /** Runs all inputs. Each is recorded before this resolves. Call it once. */
  run(options?: InvokeOptions): Promise<readonly InvocationResult[]>;
  /** Returns what is needed to run each input later. */
  describe(): readonly AcceptedInput[];
}

/** An input that is run later. All of it is JSON. */
export interface AcceptedInput {
  readonly draft: InvocationDraft;
  readonly versionId: string;
  /** Contains secrets. */
  readonly request: AcceptedRequest;
}

/** What an accepted input is run with, besides its version and variables. */
export interface AcceptedRequest {
  readonly input: InvokeInput;
  readonly conversation: JsonObject | null;
  /** The user whose variables the tool gets. */
  readonly userId: string;
  /** The side of a canary that it is on, whose calls its end counts among. */
  readonly trial?: CanarySide;
}

/** Invokes versions of tools. */
export interface Invoker {
  /** Checks the call. Throws a `Problem` if the caller has to change something. */
  prepare(call: InvokeCall): Promise<ReadyCall>;
  invoke(
    call: InvokeCall,
    options?: InvokeOptions,
  ): Promise<{
    readonly version: ResolvedVersion;
    readonly results: readonly InvocationResult[];
  }>;
}

/** The services that an invoker uses. */
export interface InvokerParts extends Pick<PlatformParts, "now"> {
  readonly runner: Pick<Runner, "run">;
  readonly history: Pick<History, "begin">;
  readonly versions: Pick<VersionResolver, "resolve">;
  readonly variables: VariableReader;
  readonly artifacts: Pick<ArtifactStore, "get">;
  readonly callers: Callers;
  /** Counts the results of calls that take part in a canary. Default: they are not counted. */
  readonly canaries?: Pick<CanaryCounter, "count">;
  /** Returns why invocations can't be recorded now. Then nothing is run. */
  findFailure?(): Error | undefined;
  /** Returns a user's own variables. Those of the request override them. Default: none. */
  readUserVariables?(
    organization: string,
    userId: string,
  ): UserVariableValues | Promise<UserVariableValues>;
}

/** Creates an invoker. */
export function createInvoker(parts: InvokerParts): Invoker {
  const prepareVersion = createVersionPreparation(parts.artifacts);

  const prepare = async (call: InvokeCall): Promise<ReadyCall> => {
    const { organization } = call.principal;
    const { source } = call.request;
    const conversation = source?.type === "regular-conversation" ? source.conversation_id : null;
    const resolving = parts.versions.resolve(
      ...([organization, call.toolId, call.version, conversation] as const),
    );
    const version = resolving instanceof Promise ? await resolving : resolving;
    const { trial } = version;
    if (trial?.isCanary !== true) return prepareFor(version, call);
    try {
      return await prepareFor(version, call);
    } catch (error) {
      // The stable version serves what the canary refuses, unless that refuses it too.
      const ready = await prepareFor(trial.stable, call);
      if (error instanceof Problem) parts.canaries?.count(trial, { calls: 1, errors: 1 });
      return ready;
    }
  };

  const prepareFor = async (resolved: ResolvedVersion, call: InvokeCall): Promise<ReadyCall> => {
    const { principal, toolId, request } = call;
    const { organization } = principal;
    const prepared = prepareVersion(resolved);
    requireFittingInputs(prepared, request.inputs);
    const reading = parts.variables.read(organization, toolId);
    const variables = reading instanceof Promise ? await reading : reading;
    requireVariables(prepared, variables.values);
    const source = toSourceColumns(request.source, principal, call.via);
    const userId = source.user_id ?? principal.userId;
    requireMayActFor(principal, userId);
    const profile = parts.readUserVariables?.(organization, userId);
    const user = profile instanceof Promise ? await profile : profile;
    const finding = parts.callers.find(principal, call.client);
    const caller = finding instanceof Promise ? await finding : finding;
    const conversation = request.conversation ?? null;
    const origin = {
      ...{ version: prepared.version, source, caller, retryOf: call.retryOf ?? null },
      hasConversation: conversation !== null,
    };
    const context: CallContext = { parts, prepared, variables, user, origin, conversation };
    return {
      version: prepared.version,
      describe: () =>
        request.inputs.map((input) => {
          const at = parts.now();
          const { hide } = fillVariables(input, context);
          const draft = toDraft({ id: newId(at), at, input }, origin, hide);
          const { id: versionId } = prepared.version;
          const { trial } = resolved;
          const side = trial && { canaryId: trial.canaryId, isCanary: trial.isCanary };
          const accepted = { input, conversation, userId, ...(side && { trial: side }) };
          return { draft, versionId, request: accepted };
        }),
      run: async (options = {}) => {
        const failure = parts.findFailure?.();
        if (failure !== undefined) throw failure;
        const results = await Promise.all(
          request.inputs.map((input, index) => runOne({ input, index }, context, options)),
        );
        if (resolved.trial !== undefined) {
          parts.canaries?.count(resolved.trial, countResults(results));
        }
        return results;
      },
    };
  };

  return {
    prepare,
    invoke: async (call, options) => {
      const ready = await prepare(call);
      return { version: ready.version, results: await ready.run(options) };
    },
  };
}

/** Counts calls and errors. What the caller cancelled is neither. */
function countResults(results: readonly InvocationResult[]): { calls: number; errors: number } {
  const ended = results.filter((each) => each.succeeded || each.exception_type !== "Cancelled");
  return { calls: ended.length, errors: ended.filter(({ succeeded }) => !succeeded).length };
}

/** What the inputs of one call share. */
interface CallContext {
  readonly parts: InvokerParts;
  readonly prepared: PreparedVersion;
  readonly variables: ToolVariables;
  readonly user: UserVariableValues | undefined;
  readonly origin: RowOrigin;
  readonly conversation: JsonObject | null;
}

async function runOne(
  { input, index }: { readonly input: InvokeInput; readonly index: number },
  { parts, prepared, variables, user, origin, conversation }: CallContext,
  options: InvokeOptions,
): Promise<InvocationResult> {
  const { onStatus } = options;
  const filled = fillVariables(input, { variables, user });
  const { hide } = filled;
  const at = parts.now();
  const id = newId(at);
  const draft = toDraft({ id, at, input }, origin, hide);
  options.onBegin?.(index, id);
  const recording = parts.history.begin(draft);
  const run: ToolRun = {
    ...toRun(id, input, { variables, conversation, filled }),
    ...(onStatus !== undefined && { onStatus: (event: unknown) => onStatus(index, event) }),
    // A getter, because creating a signal costs time and few runs take long enough to need it.
    get signal() {
      return options.signal as AbortSignal;
    },
  };
  const result = prepared.checkOutput(await parts.runner.run(prepared.program, run));
  try {
    await recording.end(toRow(draft, result, { hide, at: parts.now() }));
  } catch (error) {
    return { ...toInvocationResult(result), invocation_id: id, warning: warn(id, error) };
  }
  if (options.withLogs !== true) return toInvocationResult(result);
  const { printed } = result;
  const logs = toLogs(printed === undefined ? null : hide.inJson(printed));
  return { ...toInvocationResult(result), invocation_id: id, logs };
}

/** The tool has run, so this is a warning: on an error the caller would run it again. */
function warn(id: string, error: unknown): string {
  const isKept = error instanceof NotRecorded && error.isKept;
  const fate = isKept
    ? "The server keeps the record and writes it when its database accepts writes again."
    : "The record is lost; the server's log names it.";
  return `The tool ran (invocation ${id}), but its record could not be written. ${fate} Do not repeat the invocation because of this.`;
}

function requireFittingInputs({ validate }: PreparedVersion, inputs: readonly InvokeInput[]): void {
  for (const [index, { input_parameters }] of inputs.entries()) {
    const complaint = validate(input_parameters);
    if (complaint === undefined) continue;
    throw new Problem(
      400,
      `inputs[${index}].input_parameters does not match the tool's input schema: ${complaint}. Nothing was run.`,
    );
  }
}

/** Throws a `Problem` if a variable that the tool requires is not set. */
export function requireVariables(
  { variables, version }: PreparedVersion,
  config: Readonly<Record<string, string>>,
): void {
  const missing = variables.filter((name) => !Object.hasOwn(config, name));
  if (missing.length === 0) return;
  throw new Problem(
    400,
    `The tool ${version.toolName} requires the variable ${missing.join(", ")}, which is not set. Set it with POST /v1/{organization}/tool/${version.toolId}/envvar.`,
  );
}

/** The tool gets the variables in the user's profile, including sensitive ones. */
function requireMayActFor(principal: Principal, userId: string): void {
  if (userId === principal.userId || principal.may("User:GetUser")) return;
  throw new Problem(
    403,
    "Invoking a tool for another user requires the permission User:GetUser, because the tool gets that user's variables.",
  );
}
