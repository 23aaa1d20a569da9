import type { DiskComputer, ProjectItem } from "@haft/computer";
import { toVisibleLine } from "@haft/core/internal";
import type { Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { listUntrusted } from "./list-untrusted.ts";
import { showPath } from "./show-item.ts";

/** Whether a person can be asked, and the mount plans of the command line. */
export interface TrustChoice
  extends Pick<CommonOptions, "mounts" | "hooks" | "headless" | "yes" | "trustProject"> {
  readonly asks: boolean;
}

/**
 * Handles a workspace's untrusted files before anything uses them: asks in the terminal, or prints one
 * line about what has no effect.
 */
export async function settleTrust(
  computer: DiskComputer,
  io: Io,
  { asks, mounts, hooks, headless, yes, trustProject }: TrustChoice,
): Promise<void> {
  if (trustProject) return;
  const items = await listUntrusted(computer, io, { mounts, hooks, omitsDeclined: true });
  if (items.length === 0) return;
  // `--yes` approves calls only. Trust is permanent and needs its own answer.
  if (!asks || headless || yes) {
    io.error(`haft: ${toVisibleLine(describe(items, computer))}\n`);
    return;
  }
  io.error("This workspace contains files that have no effect until you trust them.\n");
  const { reviewItems } = await import("./review-items.ts");
  await reviewItems(items, computer, io);
}

const maxNamed = 5;

function describe(items: readonly ProjectItem[], computer: DiskComputer): string {
  const names = items.slice(0, maxNamed).map((item) => describeItem(item, computer));
  const more = items.length - names.length;
  const all = more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
  return `Not trusted, so they have no effect: ${all}. Review them with: haft trust`;
}

function describeItem({ kind, path, content }: ProjectItem, computer: DiskComputer): string {
  const shown = showPath(path, computer);
  if (kind !== "rules") return shown;
  const allows =
    Buffer.from(content)
      .toString("utf8")
      .match(/ allow$/gmu)?.length ?? 0;
  return `${shown} (${allows} ${allows === 1 ? "rule that allows" : "rules that allow"})`;
}
