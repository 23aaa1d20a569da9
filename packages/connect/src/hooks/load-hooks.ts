import { dirname } from "node:path";
import type { DiskComputer, ProjectItem } from "@haft/computer";
import { readUntrustedFile, toRealPath, type UntrustedRead } from "@haft/computer/internal";
import { isInside } from "@haft/contract/internal";
import { findHookScripts } from "./find-hook-scripts.ts";
import type { HookFile, HookFormatName, HookHandler } from "./hook-file.ts";
import type { ImportedHooks } from "./hook-store.ts";
import { parseHookFile } from "./parse-hook-file.ts";

const maxBytes = 1024 * 1024;

/** A hook file that the command line names. */
export interface NamedHooks {
  readonly path: string;
  /** Default: found out from the file. */
  readonly format?: HookFormatName | undefined;
}

/** Which hooks a session has. */
export interface HookSources {
  readonly imported: readonly ImportedHooks[];
  readonly named: readonly NamedHooks[];
}

/** The hooks of a workspace, and what of them needs trust. */
export interface LoadedHooks {
  readonly files: readonly HookFile[];
  /** Files of the workspace that do not run until a person trusts them. */
  readonly untrusted: readonly ProjectItem[];
  /** What a person should know. */
  readonly warnings: readonly string[];
}

type Workspace = Pick<DiskComputer, "roots" | "home" | "trust">;

/**
 * Reads the hook files of a workspace. A file inside the workspace counts as far as a person has trusted
 * its content. Throws for a file that can't be read, because a guard that is left out guards nothing.
 */
export async function loadHooks(
  { imported, named }: HookSources,
  workspace: Workspace,
): Promise<LoadedHooks> {
  const files: HookFile[] = [];
  const untrusted: ProjectItem[] = [];
  const warnings: string[] = [];
  const waiting: HookFile[] = [];
  const here = imported
    .filter((one) => one.workspace === undefined || one.workspace === workspace.roots[0])
    .filter(({ path }) => !named.some((one) => one.path === path));
  for (const one of [...here, ...named]) {
    const isImported = here.includes(one as ImportedHooks);
    const found = readHooks(one, workspace);
    if (found.item !== undefined) {
      untrusted.push(found.item);
      // A file that is not trusted yet may be broken without any effect.
      const parsing = parseHookFile(toText(found.item.content), one.path, one.format);
      waiting.push(...(await parsing.then((file) => [file]).catch(() => [])));
    }
    if (found.warning !== undefined && isImported) warnings.push(found.warning);
    if (found.text === undefined) {
      if (isImported || found.item !== undefined) continue;
      throw new Error(`${one.path} cannot be read: it ${found.fault}.`);
    }
    const file = await parseHookFile(found.text, one.path, one.format);
    files.push(file);
    if (file.ignored.length > 0 && !isImported) {
      warnings.push(`${file.path}: not supported and not run: ${file.ignored.join("; ")}`);
    }
  }
  untrusted.push(...listUntrustedScripts([...files, ...waiting], workspace));
  return { files, untrusted, warnings };
}

/** Returns why a hook must not run: it would run a file of the workspace that is not trusted. */
export function refuseHook(handler: HookHandler, workspace: Workspace): string | undefined {
  for (const path of findHookScripts(handler, workspace)) {
    const item = readItem("hook script", path, workspace.roots);
    if (item !== undefined && workspace.trust.isTrusted(item)) continue;
    return `it would run ${path}, which is not trusted as it is now. Review it with: haft trust`;
  }
  return undefined;
}

/** Tells whether a file lies in the workspace, where an agent or a clone can change it. */
export function isInWorkspace(path: string, roots: readonly string[]): boolean {
  return [path, toRealPath(path)].some((one) => roots.some((root) => isInside(root, one)));
}

function listUntrustedScripts(
  files: readonly HookFile[],
  workspace: Workspace,
): readonly ProjectItem[] {
  const handlers = files.flatMap(({ groups }) =>
    Object.values(groups).flatMap((list) => list.flatMap((group) => group.handlers)),
  );
  const paths = new Set(handlers.flatMap((handler) => findHookScripts(handler, workspace)));
  return [...paths].flatMap((path) => {
    const item = readItem("hook script", path, workspace.roots);
    return item === undefined || workspace.trust.isTrusted(item) ? [] : [item];
  });
}

interface FoundHooks {
  readonly text?: string | undefined;
  readonly item?: ProjectItem;
  readonly warning?: string;
  readonly fault?: string;
}

function readHooks(one: ImportedHooks | NamedHooks, { roots, trust }: Workspace): FoundHooks {
  const { path } = one;
  const content = "content" in one ? one.content : undefined;
  const read = readFile(path, roots);
  if (content !== undefined) {
    const isSame = read.bytes?.toString("utf8") === content;
    if (isSame) return { text: content };
    const change = read.bytes === undefined ? `it ${read.fault}` : "it has changed since";
    const warning = `the hooks of ${path} run as you imported them, although ${change}. Update them with: haft hooks import`;
    return { text: content, warning };
  }
  if (read.bytes === undefined) {
    return {
      fault: read.fault,
      warning: `${path} cannot be read, so its hooks do not run: it ${read.fault}`,
    };
  }
  const text = read.bytes.toString("utf8");
  if (!isInWorkspace(path, roots)) return { text };
  const item: ProjectItem = { kind: "hooks", path, content: read.bytes };
  if (trust.isTrusted(item)) return { text };
  // What the person has trusted goes on guarding.
  const before = trust.findTrusted(item);
  return { item, text: before && toText(before) };
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}

/** Reads the text of a hook file. Throws if that is not possible. */
export function readHookText(path: string, roots: readonly string[]): string {
  const { bytes, fault } = readFile(path, roots);
  if (bytes !== undefined) return toText(bytes);
  throw new Error(`${path} cannot be read: it ${fault}.`);
}

function readItem(
  kind: "hooks" | "hook script",
  path: string,
  roots: readonly string[],
): ProjectItem | undefined {
  const { bytes } = readFile(path, roots);
  return bytes === undefined ? undefined : { kind, path, content: bytes };
}

// Files of the workspace are not read through links; a person's own may be links.
function readFile(path: string, roots: readonly string[]): UntrustedRead {
  const root = roots.find((one) => isInside(one, path));
  const file = root === undefined ? toRealPath(path) : path;
  return readUntrustedFile(file, { within: root ?? dirname(file), maxBytes });
}
