import type { JsonSchema } from "@haft/contract";
import { Problem } from "../problem.ts";
import { findEntry } from "../project/check-entry.ts";
import { checkInputSchema } from "../project/check-input-schema.ts";
import type { Artifact } from "../runner/artifact.ts";
import type { BuildContext } from "./build-context.ts";
import type { BuildProgress } from "./builder.ts";
import { bundleTool } from "./bundle-tool.ts";
import { checkTypes } from "./check-types.ts";
import { installNodePackages } from "./install-node-packages.ts";
import { loadNodeTool } from "./load-tool.ts";
import { findNodeTests, runNodeTests } from "./run-node-tests.ts";

/** What a build is made of, and what it is told to whom. */
export interface BuildSteps extends BuildContext {
  /** Where each organization's downloads are kept. */
  readonly caches: string;
  onProgress(progress: BuildProgress): void;
}

/** What came of a build. */
export interface BuildOutcome {
  readonly artifact: Artifact;
  readonly inputSchema: JsonSchema;
  readonly lockfileDigest: string | null;
}

/** Checks a project of Node and makes one module of it. */
export async function buildNode(steps: BuildSteps): Promise<BuildOutcome> {
  const { project, onProgress } = steps;
  const entry = findEntry(project, "node");
  const tests = findNodeTests(project);
  onProgress({ state: "checking", message: "Installing what the project depends on" });
  const lockfileDigest = await installNodePackages(steps);
  onProgress({ state: "checking", message: "Checking types and running tests" });
  // They don't touch each other's files, so they need not wait for each other.
  const types = checkTypes(steps);
  const tested = runNodeTests(steps, tests);
  const made = bundleTool(steps, entry).then(async (bundle) => ({
    ...bundle,
    ...(await loadNodeTool(steps, bundle.path)),
  }));
  // All have ended before the first failure is told: a build's directory is emptied then.
  const all = await Promise.allSettled([types, tested, made]);
  const failed = all.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  onProgress({ state: "building", message: "Making one module of it" });
  const { code, sourceMap, exportedSchema } = await made;
  return {
    artifact: { runtime: "node", code, ...(sourceMap !== undefined && { sourceMap }) },
    inputSchema: chooseSchema(steps, exportedSchema, `${entry}: inputSchema`),
    lockfileDigest,
  };
}

/** The schema of `tool.json`, or else the one that the code exports. */
export function chooseSchema(
  { manifest }: Pick<BuildContext, "manifest">,
  exported: unknown,
  where: string,
): JsonSchema {
  if (manifest.inputSchema !== undefined) return manifest.inputSchema;
  if (exported !== undefined) return checkInputSchema(exported, where);
  throw new Problem(
    400,
    `tool.json has no inputSchema. Add it, or export it from the code (${where}).`,
  );
}
