import { join } from "node:path";
import { listUntrustedFiles } from "@haft/agent/internal/workspace-agents";
import type { DiskComputer, ProjectItem } from "@haft/computer";
import { findToolboxDirectories } from "@haft/connect/internal";
import { formatRule } from "@haft/core/internal";
import { listUntrustedHooks } from "../hooks/open-hooks.ts";
import { homeOf, type Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";

/** What to look at besides the default locations. */
export interface UntrustedSearch extends Pick<CommonOptions, "hooks"> {
  /** Absolute paths of mount plans. */
  readonly mounts: readonly string[];
  /** Whether to omit what the person declined to be asked about. */
  readonly omitsDeclined: boolean;
}

/** Returns every item of the workspace that has no effect until a person trusts it. */
export async function listUntrusted(
  computer: DiskComputer,
  io: Io,
  { mounts, hooks, omitsDeclined }: UntrustedSearch,
): Promise<readonly ProjectItem[]> {
  const workspace = computer.roots[0] as string;
  const { environment } = io;
  const home = homeOf(io);
  const { trust } = computer;
  const isOpen = (item: ProjectItem): boolean =>
    !omitsDeclined || trust.current().find(item) !== "declined";
  const others = [
    ...listUntrustedFiles({ workspace, home, environment, trust }),
    ...(await listScripts(computer, findToolboxDirectories(environment, { workspace, home }))),
    ...(await listPlans(mounts, computer, io)),
    ...(await listUntrustedHooks({ hooks }, computer, io)),
  ];
  return [...listRules(computer, isOpen), ...others.filter(isOpen)];
}

function listRules(
  computer: DiskComputer,
  isOpen: (item: ProjectItem) => boolean,
): readonly ProjectItem[] {
  const path = join(computer.roots[0] as string, ".haft", "rules");
  const toItem = (lines: readonly string[]): ProjectItem => ({
    kind: "rules",
    path,
    content: Buffer.from(lines.join("\n")),
  });
  try {
    const rules = computer
      .openSession("default")
      .rules.list("project")
      .filter(({ isUntrusted }) => isUntrusted)
      .filter((rule) => isOpen(toItem([formatRule(rule)])));
    // Rules that only restrict already apply and need no question.
    if (!rules.some(({ action }) => action === "allow")) return [];
    return [toItem([...new Set(rules.map(formatRule))])];
  } catch {
    // Unreadable rules make every call fail with the reason.
    return [];
  }
}

async function listScripts(
  computer: DiskComputer,
  directories: readonly string[],
): Promise<readonly ProjectItem[]> {
  if (directories.length === 0) return [];
  const { listUntrustedScripts } = await import("@haft/connect/internal/toolbox");
  return listUntrustedScripts({ directories, computer });
}

async function listPlans(
  mounts: readonly string[],
  computer: DiskComputer,
  { environment }: Io,
): Promise<readonly ProjectItem[]> {
  if (mounts.length === 0) return [];
  const { listUntrustedOfPlan } = await import("@haft/connect/internal/modules");
  const found = await Promise.all(
    // An unreadable plan is reported when it is mounted.
    mounts.map((path) => listUntrustedOfPlan(path, { computer, environment }).catch(() => [])),
  );
  return found.flat();
}
