import type { JsonSchema } from "@haft/contract";
import { Problem } from "../problem.ts";
import { findEntry } from "../project/check-entry.ts";
import { checkInputSchema } from "../project/check-input-schema.ts";
import type { Artifact } from "../runner/artifact.ts";
import type { BuildContext } from "./build-context.ts";
import type { BuildProgress } from "./builder.ts";
import { bundleCommonJs, bundleTool } from "./bundle-tool.ts";
import { checkTypes } from "./check-types.ts";
import { installNodePackages } from "./install-node-packages.ts";
import { loadNodeTool } from "./load-tool.ts";
import { findNodeTests, runNodeTests } from "./run-node-tests.ts";

/** A build's context, its download cache and the listener for its progress. */
export interface BuildSteps extends BuildContext {
  /** The directory of the organizations' download caches. */
  readonly caches: string;
  onProgress(progress: BuildProgress): void;
  readonly runsTests: boolean;
}

/** The result of a build. */
export interface BuildOutcome {
  readonly artifact: Artifact;
  readonly inputSchema: JsonSchema;
  readonly lockfileDigest: string | null;
}

/** Checks a Node project and bundles it into one module. */
export async function buildNode(steps: BuildSteps): Promise<BuildOutcome> {
  const { project, onProgress } = steps;
  const entry = findEntry(project, "node");
  const tests = findNodeTests(project);
  onProgress({ state: "checking", message: "Installing the dependencies" });
  const lockfileDigest = await installNodePackages(steps);
  onProgress({ state: "checking", message: "Checking types and running tests" });
  // These don't touch each other's files, so they run at the same time.
  const types = checkTypes(steps);
  const tested = steps.runsTests ? runNodeTests(steps, tests) : undefined;
  const made = bundleTool(steps, entry).then(async (bundle) => ({
    ...bundle,
    ...(await loadNodeTool(steps, bundle.path)),
    ...(await bundleCommonJs(steps, entry)),
  }));
  // Wait for all before reporting the first failure: the build's directory is emptied then.
  const all = await Promise.allSettled([types, tested, made]);
  const failed = all.find((each) => each.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  onProgress({ state: "building", message: "Bundling the tool" });
  const { code, format, sourceMap, exportedSchema } = await made;
  if (format === undefined) {
    steps.log(
      "The tool uses top-level await, so each invocation starts a new process. Move the await into runTool to make invocations quicker.",
    );
  }
  return {
    artifact: { runtime: "node", code, ...(format && { format }), sourceMap },
    inputSchema: chooseSchema(steps, exportedSchema, `${entry}: inputSchema`),
    lockfileDigest,
  };
}

/** Returns the input schema of `tool.json`, or the one that the code exports. */
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
