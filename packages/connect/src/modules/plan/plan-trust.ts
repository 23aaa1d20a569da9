import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DiskComputer, ProjectItem } from "@haft/computer";
import { readProjectDirectory, readUntrustedFile, toRealPath } from "@haft/computer/internal";
import { isInside } from "@haft/contract/internal";
import { isOwnModule } from "../own/configure-tools.ts";
import { findLocalModule } from "../source/find-module.ts";
import type { Environment } from "./expand-environment.ts";
import type { MountPlan } from "./mount-plan.ts";
import { parseMountPlan, readPlanFile } from "./read-mount-plan.ts";

/** Decides whether a workspace's plans and modules may be mounted. */
export interface PlanTrust {
  readonly computer: Pick<DiskComputer, "roots" | "trust">;
  readonly environment: Environment;
}

/** A plan, and its file if that is in the workspace and not trusted. */
export interface TrustedPlan {
  readonly plan: MountPlan;
  readonly untrusted: ProjectItem | undefined;
}

/** Reads a plan and checks the trust of the same bytes. Throws if it can't be read. */
export async function readTrustedPlan(
  path: string,
  { computer, environment }: PlanTrust,
): Promise<TrustedPlan> {
  const content = await readPlanFile(path);
  const item: ProjectItem = { kind: "mount plan", path: resolve(path), content };
  const isForeign =
    isInWorkspace(resolve(path), computer) || isInWorkspace(toRealPath(path), computer);
  const untrusted = isForeign && !computer.trust.isTrusted(item) ? item : undefined;
  return { plan: await parseMountPlan(content, path, environment), untrusted };
}

const maxBytes = 16 * 1024 * 1024;

/**
 * Returns the module, a directory or a file, if it is in the workspace and its current content is not
 * trusted. Returns a string, to follow the path, if it can't be read. Its imports from elsewhere are
 * not checked.
 */
export function findUntrustedModule(
  path: string,
  { roots, trust }: PlanTrust["computer"],
): ProjectItem | string | undefined {
  if (!isInWorkspace(path, { roots })) return undefined;
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  const read = isFile
    ? readUntrustedFile(path, { within: dirname(path), maxBytes })
    : readProjectDirectory(path);
  if (read.fault !== undefined) return read.fault;
  const content = "bytes" in read ? read.bytes : read.content;
  const item: ProjectItem = { kind: "module", path, content };
  return trust.isTrusted(item) ? undefined : item;
}

/** Lists the untrusted files of a plan and of its modules in the workspace. */
export async function listUntrustedOfPlan(
  path: string,
  options: PlanTrust,
): Promise<readonly ProjectItem[]> {
  const { plan, untrusted } = await readTrustedPlan(path, options);
  const directory = dirname(resolve(path));
  const modules = plan.entries
    .filter((entry) => !isOwnModule(entry))
    .map((entry) => findLocalModule({ ...entry, directory }))
    .map((place) => place && findUntrustedModule(place, options.computer))
    .filter((item) => typeof item === "object");
  return untrusted === undefined ? modules : [untrusted, ...modules];
}

function isInWorkspace(path: string, { roots }: Pick<DiskComputer, "roots">): boolean {
  return roots.some((root) => isInside(root, path));
}
