import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDiskComputer, type DiskComputer } from "@haft/computer";
import { createRegistry, createSession, parseRule, type Session } from "@haft/core";
import { builtinTools } from "@haft/tools";
import { onTestFinished } from "vitest";
import { addToolSource } from "../../tool-source.ts";
import { type MountedPlan, type MountPlanOptions, openMountPlan } from "../open-mount-plan.ts";

/** A directory with a plan and modules, and all that it takes to mount them. */
export interface PlanFixture {
  /** Holds the files; the workspace is in it. */
  readonly directory: string;
  readonly workspace: string;
  readonly computer: DiskComputer;
  readonly warnings: string[];
  /** Mounts the plan; it is closed when the test ends. */
  open(options?: Partial<MountPlanOptions>, plan?: string): Promise<MountedPlan>;
  /** A session with the built-in tools as the plan has them, and the modules' tools. */
  session(plan: MountedPlan): Session;
}

/** Makes a directory with these files; `plan.yaml` is the plan. */
export function createPlanFixture(files: Readonly<Record<string, string>>): PlanFixture {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-modules-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const workspace = join(directory, "workspace");
  mkdirSync(workspace);
  writeFiles(directory, files);
  const computer = createDiskComputer({ workspace, stateDirectory: join(directory, "state") });
  const warnings: string[] = [];
  return {
    directory,
    workspace,
    computer,
    warnings,
    open: async (options = {}, plan = "plan.yaml") => {
      const mounted = await openMountPlan(join(directory, plan), {
        computer,
        builtins: builtinTools,
        cacheDirectory: join(directory, "cache"),
        environment: process.env,
        warn: (message) => warnings.push(message),
        ...options,
      });
      onTestFinished(() => mounted.close());
      return mounted;
    },
    session: (plan) => {
      const registry = createRegistry(plan.builtins());
      addToolSource(registry, plan, (message) => warnings.push(message));
      return createSession({ registry, computer, rules: [parseRule("* * allow")] });
    },
  };
}

/** Writes files below a directory. */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}
