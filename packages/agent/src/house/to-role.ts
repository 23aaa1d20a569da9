import type { SessionRole } from "@haft/core";
import type { AgentManifest } from "../manifests/agent-manifest.ts";
import { toCoreManifest } from "../manifests/to-core-manifest.ts";
import type { ModeUse } from "../manifests/to-mode.ts";
import { findMode } from "./find-mode.ts";
import type { HouseParts } from "./house-parts.ts";

/** An agent as a session knows it; it may read the files of skills wherever they are. */
export function toRole(
  manifest: AgentManifest,
  { skillFiles }: Pick<HouseParts, "skillFiles">,
  use?: ModeUse,
): SessionRole {
  const core = toCoreManifest(manifest);
  const read = [...(core.requires?.fs?.read ?? []), ...(skillFiles.fs?.read ?? [])];
  const fs = { ...core.requires?.fs, ...(read.length > 0 && { read }) };
  return {
    mode: findMode(manifest, use),
    manifest: { ...core, requires: { ...core.requires, fs } },
  };
}
