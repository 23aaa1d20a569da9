import { isPlainObject } from "@haft/contract/internal";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { ToolManifest } from "../project/manifest.ts";
import type { Store } from "../store/store.ts";
import { isTextList, readStoredJson } from "../store/stored-json.ts";
import { unknownTool } from "../tools/require-tool.ts";
import { type BoundedCache, createBoundedCache } from "./bounded-cache.ts";
import { type CanaryShare, createCanarySplit } from "./canary-split.ts";
import { compareNumbers, type ListedVersion, toConstraint } from "./constraint.ts";
import { markLatest, readVersionHeads } from "./read-version-heads.ts";
import type { ResolvedVersion, VersionResolver } from "./resolved-version.ts";
import { toText } from "./version-text.ts";

// Characters of manifests, and rows of tools and versions.
const maxManifests = 32_000_000;
const maxRows = 100_000;
// Of one tool: as many ways to name its versions.
const maxNames = 50;

interface KnownVersion extends ListedVersion {
  readonly id: string;
}

/** A tool with its versions that are not deprecated, as they were at one moment. */
interface KnownTool {
  readonly generation: string | undefined;
  readonly organization: string;
  readonly id: string;
  readonly name: string;
  readonly deprecated: boolean;
  /** The highest first. None if the tool is deprecated. */
  readonly versions: readonly KnownVersion[];
  readonly canary: CanaryShare | undefined;
  /** By what they were asked for. */
  readonly resolved: Map<string, ResolvedVersion>;
}

/**
 * Makes a version resolver. What it has read it uses until anything has changed; then it reads the
 * numbers of the one tool's versions again. A version itself never changes, so it is read once.
 */
export function createVersionResolver({ store }: Pick<PlatformParts, "store">): VersionResolver {
  const tools = createBoundedCache<KnownTool>(maxRows);
  const versions = createBoundedCache<ResolvedVersion>(maxManifests);
  const split = createCanarySplit();
  return {
    resolve: (organization, toolId, ...[version, conversationId]) => {
      const generation = store.generation();
      const key = `${organization} ${toolId}`;
      const known = generation === undefined ? undefined : tools.get(key);
      const tool = known?.generation === generation ? known : undefined;
      const resolved = tool?.resolved.get(version);
      const isLatest = version.trim() === "latest";
      if (resolved !== undefined && (!isLatest || tool?.canary === undefined)) return resolved;
      const constraint = toConstraint(version, ["path", "version"]);
      const work = async (): Promise<ResolvedVersion> => {
        const found = tool ?? (await readTool(store, { organization, id: toolId, generation }));
        if (generation !== undefined) tools.set(key, found, 1 + found.versions.length);
        // The highest comes first and mostly will do; judging takes longer than reading.
        const chosen = found.versions.find((each) => constraint.select([each]).length > 0);
        if (chosen === undefined) throw await explain(store, found, version);
        const result = await readVersion(store, versions, { tool: found, chosen });
        const { canary } = found;
        const other = found.versions.find(({ id }) => id === canary?.version_id);
        if (isLatest && canary !== undefined && other !== undefined) {
          const isCanary = split.isForCanary(canary, conversationId);
          const trial = { canaryId: canary.id, isCanary, stable: result };
          const side = { tool: found, chosen: other };
          return { ...(isCanary ? await readVersion(store, versions, side) : result), trial };
        }
        if (found.resolved.size >= maxNames) found.resolved.clear();
        found.resolved.set(version, result);
        return result;
      };
      return work();
    },
    resolveId: async (organization, versionId) => {
      const row = await store.db
        .selectFrom("tool_versions")
        .innerJoin("tools", "tools.id", "tool_versions.tool_id")
        .select(["tools.id as toolId", "tools.name", "major", "minor", "patch"])
        .where("tool_versions.id", "=", versionId)
        .where("tool_versions.org_id", "=", organization)
        .executeTakeFirst();
      if (row === undefined) throw new Problem(404, `There is no version ${versionId}.`);
      const { toolId, name, major, minor, patch } = row;
      const tool = { organization, id: toolId, name };
      const chosen = { id: versionId, major, minor, patch };
      return readVersion(store, versions, { tool, chosen });
    },
  };
}

async function readTool(
  store: Store,
  tool: Pick<KnownTool, "organization" | "id" | "generation">,
): Promise<KnownTool> {
  const rows = await store.db
    .selectFrom("tools")
    .leftJoin("tool_versions", (join) =>
      join.onRef("tool_versions.tool_id", "=", "tools.id").on("tool_versions.deprecated", "=", 0),
    )
    .leftJoin("canaries", (join) =>
      join.onRef("canaries.tool_id", "=", "tools.id").on("canaries.ended_at", "is", null),
    )
    .select([
      "tools.name",
      "tools.deprecated as retired",
      "tools.latest_version_id",
      "tool_versions.id",
      "tool_versions.major",
      "tool_versions.minor",
      "tool_versions.patch",
      "tool_versions.candidate",
      "canaries.id as canary_id",
      "canaries.version_id",
      "canaries.percent",
    ])
    .where("tools.id", "=", tool.id)
    .where("tools.org_id", "=", tool.organization)
    .execute();
  const [first] = rows;
  if (first === undefined) throw unknownTool(tool.id);
  const deprecated = first.retired === 1;
  const active = rows.flatMap(({ id, major, minor, patch, candidate }) =>
    id === null || major === null || minor === null || patch === null || deprecated
      ? []
      : [{ id, major, minor, patch, candidate: candidate ?? 0, deprecated: 0 as const }],
  );
  const versions = markLatest(active, first.latest_version_id).toSorted((one, other) =>
    compareNumbers(other, one),
  );
  const { name, canary_id: canaryId, version_id, percent } = first;
  const canary =
    canaryId === null || version_id === null || percent === null
      ? undefined
      : { id: canaryId, version_id, percent };
  return { ...tool, name, deprecated, versions, canary, resolved: new Map() };
}

async function readVersion(
  store: Store,
  versions: BoundedCache<ResolvedVersion>,
  {
    tool,
    chosen,
  }: {
    readonly tool: Pick<KnownTool, "organization" | "id" | "name">;
    readonly chosen: Pick<KnownVersion, "id" | "major" | "minor" | "patch">;
  },
): Promise<ResolvedVersion> {
  const known = versions.get(chosen.id);
  if (known !== undefined) return known;
  const { manifest, artifact_digest } = await store.db
    .selectFrom("tool_versions")
    .select(["manifest", "artifact_digest"])
    .where("id", "=", chosen.id)
    .executeTakeFirstOrThrow();
  const { id, major, minor, patch } = chosen;
  const resolved: ResolvedVersion = {
    id,
    organization: tool.organization,
    toolId: tool.id,
    toolName: tool.name,
    number: { major, minor, patch },
    text: toText(chosen),
    manifest: readStoredJson<ToolManifest>(
      manifest,
      `The manifest of version ${toText(chosen)} of the tool ${JSON.stringify(tool.name)}`,
      isManifest,
    ),
    artifactDigest: artifact_digest,
  };
  versions.set(id, resolved, manifest.length);
  return resolved;
}

/** Whether everything is there that running it needs. */
function isManifest(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const manifest = value as Partial<ToolManifest>;
  const lists = [
    manifest.requiredEnvvars,
    manifest.requiredSecretEnvvars,
    manifest.allowedHosts,
    manifest.simulationHosts,
  ];
  const limits = [manifest.limits?.timeoutMs, manifest.limits?.memoryMb];
  return (
    ["node", "python"].includes(manifest.runtime ?? "") &&
    isPlainObject(manifest.inputSchema) &&
    lists.every(isTextList) &&
    limits.every((limit) => typeof limit === "number" && limit > 0)
  );
}

/** Why no version was found. */
async function explain(store: Store, tool: KnownTool, version: string): Promise<Problem> {
  const name = JSON.stringify(tool.name);
  if (tool.deprecated) return new Problem(404, `The tool ${name} is deprecated: it can't be run.`);
  const all = await readVersionHeads(store.db, tool.id);
  if (all.length === 0) {
    return new Problem(404, `The tool ${name} has no version yet. Publish one first.`);
  }
  const [active] = toConstraint("latest", []).select(all);
  const candidate = all.find((each) => each.deprecated === 0 && each.candidate === 1);
  const none =
    candidate === undefined
      ? "Every version of it is deprecated: publish a new one."
      : `It has only candidates: promote ${toText(candidate)}, or invoke it by this number.`;
  const remedy = active === undefined ? none : `The latest is ${toText(active)}.`;
  const deprecated = toConstraint(version, ["path", "version"]).select(all).length > 0;
  const asked = `${JSON.stringify(version.trim())} of the tool ${name}`;
  const what = deprecated
    ? `${asked} is deprecated: it can't be run`
    : `There is no version ${asked}`;
  return new Problem(404, `${deprecated ? "Version " : ""}${what}. ${remedy}`);
}
