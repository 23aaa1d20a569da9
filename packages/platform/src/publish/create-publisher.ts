import type { Principal } from "../auth/principal.ts";
import { releaseBranch } from "../git/release-branch.ts";
import type { ProjectTree, Repositories } from "../git/repositories.ts";
import { newId } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { readManifest } from "../project/read-manifest.ts";
import type { Runner } from "../runner/runner.ts";
import { claimTool } from "../tools/claim-tool.ts";
import { findLatest, moveLatest } from "../versions/latest.ts";
import { findNextVersion } from "../versions/next-version.ts";
import { holdOperation, type RunningOperation } from "../versions/operation-lock.ts";
import type { ArtifactStore, VariableReader } from "../versions/resolved-version.ts";
import { toText } from "../versions/version-text.ts";
import { emitEvent } from "../webhooks/emit-event.ts";
import type { Builder, BuiltTool } from "./builder.ts";
import { toTestProgram } from "./create-tester.ts";
import { createPublishLog } from "./publish-log.ts";
import {
  findLastVersion,
  requireActiveRoom,
  requireCompatible,
  requireLiveTool,
  requireName,
  requireVariables,
} from "./publish-rules.ts";
import type { Publisher, PublishListener, PublishOrder } from "./publisher.ts";
import { runCases } from "./run-cases.ts";
import { scaffoldHash } from "./scaffold.ts";

/** The services that a publisher uses. */
export interface PublisherParts
  extends Pick<PlatformParts, "store" | "settings" | "audit" | "processId" | "now"> {
  readonly repositories: Pick<Repositories, "findBranch" | "isAncestor" | "readProject">;
  readonly builder: Builder;
  readonly artifacts: ArtifactStore;
  /** Run the project's cases before a version is stored. */
  readonly runner: Pick<Runner, "run">;
  readonly variables: VariableReader;
}

/** Creates a publisher. It publishes from the head of the organization's release branch, or of `main`. */
export function createPublisher(parts: PublisherParts): Publisher {
  return {
    publish: async (principal, order, listener) => {
      await requireLiveTool(parts.store.db, principal.organization, order.toolId);
      const { organization, userId } = principal;
      const operation = { organization, toolId: order.toolId, kind: "publish", userId } as const;
      const done = await holdOperation(parts, operation, (running) =>
        carryOut(parts, { principal, order, listener, running }),
      );
      parts.store.touch();
      const what = order.isCandidate === true ? "the candidate " : "";
      listener.onProgress({ state: "active", message: `Published ${what}${done.version}` });
      return { newVersion: done.version, sameCommitAs: done.sameCommitAs };
    },
    recover: () => sweepArtifacts(parts),
  };
}

interface Publishing {
  readonly principal: Principal;
  readonly order: PublishOrder;
  readonly listener: PublishListener;
  readonly running: RunningOperation;
}

async function carryOut(
  parts: PublisherParts,
  publishing: Publishing,
): Promise<{ readonly version: string; readonly sameCommitAs?: string }> {
  const { principal, order, running } = publishing;
  const { organization } = principal;
  const log = createPublishLog(running, publishing.listener);
  try {
    log.onProgress({ state: "checking", message: "Reading the project" });
    const commit = await pinCommit(parts, publishing);
    const location = { commit, path: order.projectPath };
    const project = await parts.repositories.readProject(organization, location);
    log.onLog(`Commit ${commit}, ${project.size} files in ${order.projectPath}`);
    await checkRules(parts, publishing, project);
    const built = await parts.builder.build(project, { organization, ...log });
    await requireCompatible(parts.store.db, order, built.manifest);
    const variables = await parts.variables.read(organization, order.toolId);
    await runCases(project, built, {
      ...{ runner: parts.runner, program: toTestProgram(organization, built), variables },
      onBegin: () => log.onProgress({ state: "building", message: "Running the cases" }),
      log: log.onLog,
    });
    log.onProgress({ state: "storing", message: "Storing the version" });
    await parts.artifacts.put(built.digest, built.artifact);
    await log.flush();
    const last = await findLastVersion(parts.store.db, order.toolId);
    const isSame = last?.commit_hash === commit && last.project_directory === order.projectPath;
    const version = await insertVersion(parts, publishing, { commit, built, log: log.text() });
    return { version, ...(isSame && { sameCommitAs: toText(last) }) };
  } catch (error) {
    log.onProgress({ state: "failed", message: "The publish failed" });
    await log.flush();
    throw error;
  }
}

/**
 * Returns the head of the release branch. Throws if it does not descend from the last published
 * commit.
 */
async function pinCommit(
  { repositories, store }: PublisherParts,
  { principal: { organization }, order }: Publishing,
): Promise<string> {
  const branch = order.repo === "main" ? "main" : releaseBranch(organization);
  const commit = await repositories.findBranch(organization, branch);
  if (commit === undefined) {
    throw new Problem(
      404,
      `The repository has no branch ${branch}, from which tools are published. Commit the project and push it: git push origin HEAD:${branch}`,
    );
  }
  const last = await findLastVersion(store.db, order.toolId);
  if (last === undefined || last.commit_hash === commit) return commit;
  if (await repositories.isAncestor(organization, { ancestor: last.commit_hash, commit })) {
    return commit;
  }
  throw new Problem(
    400,
    `The head of ${branch}, ${commit}, does not descend from ${last.commit_hash}, from which the last version was published. Merge or rebase onto that commit and push again.`,
  );
}

/** Checks what can be checked before the build. */
async function checkRules(
  parts: PublisherParts,
  { principal: { organization }, order }: Publishing,
  project: ProjectTree,
): Promise<void> {
  const { store, settings } = parts;
  const manifest = readManifest(project, settings);
  const tool = await requireLiveTool(store.db, organization, order.toolId);
  requireName(tool, manifest);
  await requireVariables(store.db, tool, manifest);
  await requireActiveRoom(store.db, order.toolId, settings.maxActiveVersions);
  await requireCompatible(store.db, order, manifest);
}

interface Finished {
  readonly commit: string;
  readonly built: BuiltTool;
  readonly log: string;
}

/** Inserts the version, its audit line and the end of the operation in one transaction. */
async function insertVersion(
  { store, audit, now }: PublisherParts,
  { principal, order, running }: Publishing,
  { commit, built, log }: Finished,
): Promise<string> {
  const { manifest, digest, lockfileDigest } = built;
  const scaffold = await scaffoldHash();
  const at = now();
  return store.db.transaction().execute(async (db) => {
    const { organization, userId } = principal;
    // Locks the tool: its variables can't change until the transaction ends.
    await claimTool(db, { organization, toolId: order.toolId, userId, now: at });
    const tool = await requireLiveTool(db, organization, order.toolId);
    await requireVariables(db, tool, manifest);
    // A concurrent sweep may have removed the artifact.
    const artifact = { digest, content: Buffer.from(built.artifact), created_at: at };
    const stored = await db
      .selectFrom("artifacts")
      .select("digest")
      .where("digest", "=", digest)
      .executeTakeFirst();
    if (stored === undefined) await db.insertInto("artifacts").values(artifact).execute();
    const next = await findNextVersion(db, order.toolId, order.bump);
    const id = newId(at);
    const from = await findLatest(db, order.toolId);
    await db
      .insertInto("tool_versions")
      .values({
        id,
        org_id: principal.organization,
        tool_id: order.toolId,
        ...next.number,
        sequence: next.sequence,
        runtime: manifest.runtime,
        manifest: JSON.stringify(manifest),
        input_schema: JSON.stringify(manifest.inputSchema),
        required_envvars: JSON.stringify(manifest.requiredEnvvars),
        required_secret_envvars: JSON.stringify(manifest.requiredSecretEnvvars),
        commit_hash: commit,
        scaffold_commit_hash: scaffold,
        project_directory: order.projectPath,
        artifact_digest: digest,
        lockfile_digest: lockfileDigest,
        deprecated: 0,
        creator_user_id: principal.userId,
        updated_by_user_id: principal.userId,
        created_at: at,
        updated_at: at,
        candidate: order.isCandidate === true ? 1 : 0,
      })
      .execute();
    if (order.isCandidate !== true) {
      const change = { organization, toolId: order.toolId, userId, now: at };
      await moveLatest(db, change, { from, to: { id, ...next.number }, reason: "publish" });
    }
    const { numUpdatedRows } = await db
      .updateTable("operations")
      .set({ state: "active", version: next.text, log, ended_at: at })
      .where("id", "=", running.id)
      .where("ended_at", "is", null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows !== 1n) {
      throw new Problem(
        409,
        "The previous publish stopped responding and was cancelled. Publish again.",
      );
    }
    const candidate = order.isCandidate === true;
    await emitEvent(db, {
      ...{ organization, type: "version.published", at, toolId: order.toolId },
      data: { tool_id: order.toolId, tool_name: tool.name, version: next.text, commit, candidate },
    });
    const detail = { version: next.text, commit, digest, candidate };
    const entry = { action: "tool.publish", target: order.toolId, detail };
    await audit.record(db, principal, entry);
    return next.text;
  });
}

// A publish that is under way stores its artifact shortly before its version.
const minOrphanAgeMs = 3_600_000;

/** Removes artifacts that no version refers to. */
async function sweepArtifacts({ store, now }: Pick<PlatformParts, "store" | "now">): Promise<void> {
  await store.db
    .deleteFrom("artifacts")
    .where("created_at", "<", now() - minOrphanAgeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("tool_versions")
            .select("tool_versions.id")
            .whereRef("tool_versions.artifact_digest", "=", "artifacts.digest"),
        ),
      ),
    )
    .execute();
}
