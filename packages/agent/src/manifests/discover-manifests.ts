import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type AgentFolder,
  type AgentPlaces,
  projectFolders,
  shippedFolder,
  userFolder,
} from "./agent-folders.ts";
import type { AgentManifest, AgentManifests } from "./agent-manifest.ts";
import { parseManifest } from "./parse-manifest.ts";
import { readManifestFile } from "./read-manifest-file.ts";
import { restrictManifest } from "./restrict-manifest.ts";

const mostFiles = 200;
const ending = ".md";

/**
 * Finds every agent there is, when it is first asked for one. A file that can't be used costs itself and
 * a warning.
 */
export function discoverManifests(places: AgentPlaces): AgentManifests {
  let found: FoundManifests | undefined;
  const find = (): FoundManifests => {
    found ??= findAll(places);
    return found;
  };
  return {
    get: (name) => find().byName.get(name),
    list: () => [...find().byName.values()],
    get warnings() {
      return find().warnings;
    },
  };
}

interface FoundManifests {
  readonly byName: ReadonlyMap<string, AgentManifest>;
  readonly warnings: readonly string[];
}

function findAll(places: AgentPlaces): FoundManifests {
  const byName = new Map<string, AgentManifest>();
  const warnings: string[] = [];
  const warn = (message: string): void => {
    warnings.push(message);
  };
  const own = userFolder(places);
  const folders: readonly AgentFolder[] = [
    ...projectFolders(places.workspace),
    ...(own === undefined ? [] : [{ path: own, owner: "user" } as const]),
    { path: shippedFolder(), owner: "shipped" },
  ];
  const context = { userFolder: own ?? "~/.config/haft/agents", warn };
  for (const folder of folders) {
    for (const file of listFiles(folder, warn)) {
      const first = byName.get(nameOf(file));
      if (first !== undefined) {
        // Whoever has a file of their own means it to stand for what is shipped.
        if (folder.owner !== "shipped") {
          warn(`${join(folder.path, file)}: it is left out, because ${first.origin} has its name.`);
        }
        continue;
      }
      const manifest = tryRead(file, folder, context);
      if (manifest !== undefined) byName.set(manifest.name, manifest);
    }
  }
  return { byName, warnings };
}

function listFiles(folder: AgentFolder, warn: (message: string) => void): readonly string[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder.path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isAbsent = code === "ENOENT" || code === "ENOTDIR";
    if (!isAbsent || folder.owner === "shipped") {
      warn(`${folder.path}: the agents in it can't be listed (${code ?? "unknown error"}).`);
    }
    return [];
  }
  const files = names.filter((name) => name.endsWith(ending) && !name.startsWith(".")).sort();
  if (files.length > mostFiles) {
    warn(`${folder.path}: it has ${files.length} agents; only the first ${mostFiles} are used.`);
  }
  return files.slice(0, mostFiles);
}

function tryRead(
  file: string,
  folder: AgentFolder,
  context: { readonly userFolder: string; warn(message: string): void },
): AgentManifest | undefined {
  const path = join(folder.path, file);
  const { owner, within } = folder;
  const origin = owner === "shipped" ? "shipped" : path;
  try {
    const text = readManifestFile(path, within);
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
