import type { Principal } from "../../auth/principal.ts";
import type { ProjectTree, Repositories } from "../../git/repositories.ts";
import { newId } from "../../new-id.ts";
import type { AuditEntry } from "../../operations/audit.ts";
import { defaultSettings, type PlatformSettings } from "../../platform-settings.ts";
import { Problem } from "../../problem.ts";
import { readManifest } from "../../project/read-manifest.ts";
import { packArtifact } from "../../runner/artifact.ts";
import type { Store } from "../../store/store.ts";
import { createArtifactStore } from "../../versions/create-artifact-store.ts";
import { createPublisher, type PublisherParts } from "../create-publisher.ts";
import type { Publisher, PublishOrder } from "../publisher.ts";

/** What publishes, on a store, with a repository and a builder that do as the test says. */
export interface PublishBench {
  readonly publisher: Publisher;
  readonly principal: Principal;
  readonly organization: string;
  readonly toolId: string;
  readonly audited: AuditEntry[];
  /** The commits of the release branch, the last of which is its head. */
  readonly commits: string[];
  /** What `tool.json` says, beside what it has to. */
  manifest: Record<string, unknown>;
  /** To be done in the middle of a build. */
  whileBuilding: () => void | Promise<void>;
  order(more?: Partial<PublishOrder>): PublishOrder;
  publish(more?: Partial<PublishOrder>): Promise<string>;
  addVariable(name: string, isSecret: boolean): Promise<void>;
}

const bare = { name: "look_up", description: "Looks something up.", runtime: "node" };

/** The repositories of a bench, and what it builds with; nothing of it is a process. */
export function openParts(
  bench: Pick<PublishBench, "commits" | "manifest" | "whileBuilding">,
  organization: string,
): Pick<PublisherParts, "builder" | "runner" | "variables"> & {
  readonly repositories: Omit<Repositories, "serve">;
} {
  const project = (): ProjectTree =>
    new Map([["tool.json", Buffer.from(JSON.stringify({ ...bare, ...bench.manifest }))]]);
  return {
    runner: { run: async () => ({ succeeded: true, output: "ok", durationMs: 1 }) },
    variables: { read: () => ({ values: {}, secrets: [] }) },
    repositories: {
      findBranch: async (asked, branch) =>
        asked === organization && branch === `releases/${organization}`
          ? bench.commits.at(-1)
          : undefined,
      isAncestor: async (_, { ancestor, commit }) => {
        const { commits } = bench;
        return commits.includes(ancestor) && commits.indexOf(ancestor) <= commits.indexOf(commit);
      },
      readProject: async (_, { path }) => {
        if (path === "tools/look_up") return project();
        throw new Problem(404, `There is no folder ${path}.`);
      },
    },
    builder: {
      build: async (tree, { onProgress, onLog }) => {
        onProgress({ state: "building", message: "Building" });
        onLog("a line of the build");
        await bench.whileBuilding();
        const { bytes, digest } = packArtifact({ runtime: "node", code: "export {}" });
        const draft = readManifest(tree, defaultSettings);
        const inputSchema = draft.inputSchema ?? { type: "object" };
        const log = "a line of the build\n";
        return {
          ...{ artifact: bytes, digest, lockfileDigest: "f".repeat(64), log },
          manifest: { ...draft, inputSchema },
        };
      },
      close: async () => undefined,
    },
  };
}

/** Makes an organization with a tool that can be published. */
export async function openPublishBench(
  store: Store,
  settings: Partial<PlatformSettings> = {},
): Promise<PublishBench> {
  const [organization, userId, toolId] = [newId(), newId(), newId()];
  const now = (): number => Date.now();
  await store.db
    .insertInto("tools")
    .values({
      ...{ id: toolId, org_id: organization, name: "look_up", description: "x", deprecated: 0 },
      ...{ creator_user_id: userId, updated_by_user_id: userId },
      ...{ created_at: now(), updated_at: now() },
    })
    .execute();
  const audited: AuditEntry[] = [];
  const principal: Principal = {
    ...{ organization, userId, keyId: newId(), role: "any", may: () => true },
  };
  const changing = {
    commits: ["1".repeat(40)],
    manifest: { inputSchema: { type: "object", additionalProperties: false } } as Record<
      string,
      unknown
    >,
    whileBuilding: (): void | Promise<void> => undefined,
  };
  const publisher = createPublisher({
    ...{ store, now, processId: "this-process", settings: { ...defaultSettings, ...settings } },
    audit: {
      record: async (_transaction, _author, entry) => void audited.push(entry),
      recordAlone: async (_author, entry) => void audited.push(entry),
    },
    artifacts: createArtifactStore({ store, now }),
    ...openParts(changing, organization),
  });
  const order = (more: Partial<PublishOrder> = {}): PublishOrder => ({
    ...{ toolId, projectPath: "tools/look_up", bump: "patch" as const },
    ...more,
  });
  return Object.assign(changing, {
    ...{ publisher, principal, organization, toolId, audited, order },
    publish: async (more: Partial<PublishOrder> = {}) => {
      const quiet = { onProgress: () => undefined, onLog: () => undefined };
      return (await publisher.publish(principal, order(more), quiet)).newVersion;
    },
    addVariable: async (name: string, isSecret: boolean) => {
      await store.db
        .insertInto("tool_variables")
        .values({
          ...{ tool_id: toolId, org_id: organization, name, is_secret: isSecret ? 1 : 0 },
          ...{ value: "sealed", updated_at: now(), deleted_at: null },
        })
        .execute();
    },
  });
}
