import { join } from "node:path";
import type { ProjectItem } from "@haft/computer";
import {
  type AgentFolder,
  type AgentSearch,
  projectFolders,
  shippedFolder,
  userFolder,
} from "./agent-folders.ts";
import type { AgentManifest, AgentManifests } from "./agent-manifest.ts";
import { listManifestFiles } from "./list-manifest-files.ts";
import { parseManifest } from "./parse-manifest.ts";
import { decodeManifest, readManifestFile } from "./read-manifest-file.ts";
import { type RestrictionContext, restrictManifest } from "./restrict-manifest.ts";

const ending = ".md";

/**
 * Finds all agents, when the first one is asked for. A file that can't be used is left out with
 * a warning.
 */
export function discoverManifests(search: AgentSearch): AgentManifests {
  let found: FoundManifests | undefined;
  const find = (): FoundManifests => {
    found ??= findAll(search);
    return found;
  };
  return {
    get: (name) => find().byName.get(name),
    list: () => [...find().byName.values()],
    get warnings() {
      return find().warnings;
    },
    get untrusted() {
      return find().untrusted;
    },
  };
}

interface FoundManifests {
  readonly byName: ReadonlyMap<string, AgentManifest>;
  readonly warnings: readonly string[];
  readonly untrusted: readonly ProjectItem[];
}

function findAll(search: AgentSearch): FoundManifests {
  const byName = new Map<string, AgentManifest>();
  const warnings: string[] = [];
  const warn = (message: string): void => {
    warnings.push(message);
  };
  const own = userFolder(search);
  const folders: readonly AgentFolder[] = [
    ...projectFolders(search.workspace),
    ...(own === undefined ? [] : [{ path: own, owner: "user" } as const]),
    { path: shippedFolder(), owner: "shipped" },
  ];
  const untrusted: ProjectItem[] = [];
  const context: ReadContext = {
    userFolder: own ?? "~/.config/haft/agents",
    warn,
    isTrusted: (item) => {
      const isTrusted = search.trust?.isTrusted(item) === true;
      if (!isTrusted) untrusted.push(item);
      return isTrusted;
    },
  };
  for (const folder of folders) {
    for (const file of listManifestFiles(folder, warn)) {
      const first = byName.get(nameOf(file));
      if (first !== undefined) {
        // A user's own file is meant to replace a shipped agent.
        if (folder.owner !== "shipped") {
          warn(`${join(folder.path, file)}: ignored, because ${first.origin} has the same name.`);
        }
        continue;
      }
      const manifest = tryRead(file, folder, context);
      if (manifest !== undefined) byName.set(manifest.name, manifest);
    }
  }
  return { byName, warnings, untrusted };
}

interface ReadContext extends RestrictionContext {
  isTrusted(item: ProjectItem): boolean;
}

function tryRead(
  file: string,
  folder: AgentFolder,
  context: ReadContext,
): AgentManifest | undefined {
  const path = join(folder.path, file);
  const { owner, within } = folder;
  const origin = owner === "shipped" ? "shipped" : path;
  try {
    const content = readManifestFile(path, within);
    // Checked first, so that an untrusted file can't hide another agent of the same name.
    if (owner === "project" && !context.isTrusted({ kind: "agent", path, content }))
      return undefined;
    const text = decodeManifest(path, content);
    const manifest = parseManifest(text, { name: nameOf(file), origin, warn: context.warn });
    return owner === "project" ? restrictManifest(manifest, context) : manifest;
  } catch (error) {
    context.warn((error as Error).message);
    return undefined;
  }
}

function nameOf(file: string): string {
  return file.slice(0, -ending.length);
}
