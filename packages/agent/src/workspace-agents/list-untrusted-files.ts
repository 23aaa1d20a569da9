import { join } from "node:path";
import type { ProjectItem, ProjectTrust } from "@haft/computer";
import { projectFolders } from "../manifests/agent-folders.ts";
import { listManifestFiles } from "../manifests/list-manifest-files.ts";
import { readManifestFile } from "../manifests/read-manifest-file.ts";
import { readProjectSettings } from "../settings/read-settings-file.ts";
import { discoverSkills } from "../skills/discover-skills.ts";

/** Where to look for a project's files. */
export interface ProjectPaths {
  /** The first root of the workspace. */
  readonly workspace: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly trust: ProjectTrust;
}

/**
 * Lists the project's settings, agents and skills with commands whose current content is not trusted.
 * Files that can't be read are left out: they have no effect, and loading them reports why.
 */
export function listUntrustedFiles(paths: ProjectPaths): readonly ProjectItem[] {
  return [
    ...findSettings(paths),
    ...listUntrustedManifests(paths),
    ...discoverSkills({ ...paths, origin: "project" }).untrusted,
  ];
}

function findSettings({ workspace, trust }: ProjectPaths): readonly ProjectItem[] {
  try {
    const found = readProjectSettings(join(workspace, ".haft", "settings.json"), workspace);
    return found === undefined || trust.isTrusted(found.item) ? [] : [found.item];
  } catch {
    return [];
  }
}

/** Lists the project's agent files whose current content is not trusted, without parsing them. */
function listUntrustedManifests({
  workspace,
  trust,
}: {
  readonly workspace: string;
  readonly trust: ProjectTrust;
}): readonly ProjectItem[] {
  return projectFolders(workspace).flatMap((folder) =>
    listManifestFiles(folder, () => {}).flatMap((name) => {
      const path = join(folder.path, name);
      try {
        const content = readManifestFile(path, folder.within);
        const item: ProjectItem = { kind: "agent", path, content };
        return trust.isTrusted(item) ? [] : [item];
      } catch {
        // Loading the agents reports that it can't be read.
        return [];
      }
    }),
  );
}
