import type { Principal } from "../auth/principal.ts";
import type { StoredInvocation } from "../history/list-invocations.ts";
import { createVersionPreparation, type PreparedVersion } from "../invoke/prepared-version.ts";
import type { JsonObject } from "../json.ts";
import { type JsonPath, parseJsonPath } from "../json-path.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { Runner } from "../runner/runner.ts";
import { requireLiveTool } from "../tools/require-tool.ts";
import type {
  ArtifactStore,
  VariableReader,
  VersionResolver,
} from "../versions/resolved-version.ts";
import { toNumber, toText } from "../versions/version-text.ts";
import { compareResults, type EndedRun } from "./compare-results.ts";
import { readRecordedInput } from "./recorded-input.ts";
import { mapLimited, selectInvocations } from "./select-invocations.ts";
import type { FilledShadowRequest, ShadowDifference, ShadowReport } from "./shadow-schemas.ts";
import { createSimulation, type Simulate, toErrorText } from "./simulate.ts";

/** The services that a shadow run uses. */
export interface ShadowParts extends Pick<PlatformParts, "store" | "audit" | "now"> {
  readonly runner: Pick<Runner, "run">;
  readonly versions: VersionResolver;
  readonly variables: VariableReader;
  readonly artifacts: Pick<ArtifactStore, "get">;
}

/** Options of a shadow run. */
export interface ShadowOptions {
  /** No more inputs are run once it aborts. */
  readonly signal?: AbortSignal;
  onProgress?(index: number, progress: { readonly done: number; readonly total: number }): void;
}

/**
 * Runs recorded inputs against a version in simulation mode and compares the results. Nothing is
 * recorded in history. Throws a `Problem` for an unknown tool or version.
 */
export async function shadowVersion(
  parts: ShadowParts,
  call: {
    readonly principal: Principal;
    readonly toolId: string;
    readonly request: FilledShadowRequest;
  },
  { signal, onProgress }: ShadowOptions = {},
): Promise<ShadowReport> {
  const { principal, toolId, request } = call;
  const { organization } = principal;
  const ignored = request.ignore.map(parseJsonPath);
  await requireLiveTool(parts.store.db, { organization, toolId });
  if (toNumber(request.candidate.trim()) === undefined) {
    throw new Problem(400, "candidate is an exact version, such as 1.2.3.");
  }
  const prepare = createVersionPreparation(parts.artifacts);
  const resolve = async (text: string): Promise<PreparedVersion> =>
    prepare(await parts.versions.resolve(organization, toolId, text));
  const candidate = await resolve(request.candidate);
  const { text: version } = candidate.version;
  const stable =
    request.against === "latest" ? await resolveStable(parts, call, prepare) : undefined;
  const variables = await parts.variables.read(organization, toolId);
  const { rows, hasMore } = await selectInvocations(parts.store, {
    filter: {
      ...{ organization, tools: [{ toolId }], succeeded: undefined },
      ...{ sourceTypes: [], conversationIds: [], simulationRunIds: [] },
    },
    since: Date.parse(request.since),
    limit: request.limit,
    accepts: (row) => toText(row) !== version,
  });
  const run = createSimulation(parts.runner, variables, signal);
  let done = 0;
  const results = await mapLimited(rows, signal, async (row, index) => {
    const result = await compareOne(row, { candidate, stable, ignored, run });
    done += 1;
    onProgress?.(index, { done, total: rows.length });
    return { invocation_id: row.id, version: toText(row), ...result };
  });
  const skips = results.flatMap(({ invocation_id, reason }) =>
    reason === undefined ? [] : [{ invocation_id, reason }],
  );
  const differences = results.flatMap(({ invocation_id, version: recorded, difference }) =>
    difference === undefined ? [] : [{ invocation_id, version: recorded, ...difference }],
  );
  const compared = results.length - skips.length;
  const counts = {
    ...{ compared, same: compared - differences.length, different: differences.length },
    skipped: skips.length,
  };
  await parts.audit.recordAlone(principal, {
    action: "version.shadow",
    target: toolId,
    detail: { candidate: version, against: request.against, ...counts },
  });
  return {
    ...{ candidate: version, against: request.against, ...counts },
    ...{ differences, skips, has_more: hasMore },
  };
}

/** Resolves `latest` itself, not a canary. */
async function resolveStable(
  { versions }: ShadowParts,
  { principal, toolId }: { readonly principal: Principal; readonly toolId: string },
  prepare: ReturnType<typeof createVersionPreparation>,
): Promise<PreparedVersion> {
  const found = await versions.resolve(principal.organization, toolId, "latest");
  return prepare(found.trial?.stable ?? found);
}

interface Comparison {
  readonly reason?: string;
  readonly difference?: Pick<ShadowDifference, "kind" | "changes">;
}

async function compareOne(
  row: StoredInvocation,
  order: {
    readonly candidate: PreparedVersion;
    readonly stable: PreparedVersion | undefined;
    readonly ignored: readonly JsonPath[];
    readonly run: Simulate;
  },
): Promise<Comparison> {
  const { candidate, stable, run } = order;
  let input: JsonObject;
  try {
    input = readRecordedInput(row);
  } catch (error) {
    if (error instanceof Problem) return { reason: error.message };
    throw error;
  }
  const complaint = candidate.validate(input);
  if (complaint !== undefined) {
    const changes = [{ path: "", before: null, after: complaint }];
    return { difference: { kind: "refused", changes } };
  }
  const refusal = stable?.validate(input);
  if (refusal !== undefined) return { reason: `The latest version refuses its input: ${refusal}.` };
  const before = stable === undefined ? toEnded(row) : await run(stable, input);
  const after = await run(candidate, input);
  const changes = compareResults(before, after, order.ignored);
  return changes.length === 0 ? {} : { difference: { kind: toKind(before, after), changes } };
}

function toEnded(row: StoredInvocation): EndedRun {
  if (row.succeeded === 1) return { succeeded: true, output: row.output ?? "" };
  return { succeeded: false, error: toErrorText(row.exception_type, row.exception_message) };
}

function toKind(before: EndedRun, after: EndedRun): ShadowDifference["kind"] {
  if (before.succeeded) return after.succeeded ? "output" : "now-fails";
  return after.succeeded ? "now-succeeds" : "error";
}
