import type { DiskComputer, ProjectItem } from "@haft/computer";
import { stateDirectory } from "@haft/computer/internal";
import { listImportedHooks } from "@haft/connect/internal";
import type { HookSources, LoadedHooks } from "@haft/connect/internal/hooks";
import type { Recorder, SessionHooks } from "@haft/core";
import { toVisibleLine } from "@haft/core/internal";
import type { Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { showPath } from "../trust/show-item.ts";
import { UsageError } from "../usage-error.ts";

/** Creates the hooks of a session by its name. */
export type HooksOfSession = (name: string) => SessionHooks;

/** Opens the imported hooks and those of `--hooks`. Returns `undefined` if there are none. */
export async function openHooks(
  options: Pick<CommonOptions, "hooks">,
  io: Io,
  { computer, recorder }: { readonly computer: DiskComputer; readonly recorder: Recorder },
): Promise<HooksOfSession | undefined> {
  const sources = findSources(options, io);
  if (sources === undefined) return undefined;
  const { createHooks, refuseHook } = await import("@haft/connect/internal/hooks");
  const { files, untrusted, warnings } = await load(sources, computer);
  const warn = (message: string): void => io.error(`haft: ${toVisibleLine(message)}\n`);
  for (const { path } of options.hooks) {
    if (!untrusted.some((item) => item.kind === "hooks" && item.path === path)) continue;
    const shown = showPath(path, computer);
    throw new UsageError(
      `--hooks ${shown}: the file is in the workspace, and you have not trusted it as it is now. Review it with: haft trust --hooks ${shown}`,
    );
  }
  for (const warning of warnings) warn(warning);
  if (files.length === 0) return undefined;
  return (name) => {
    const { id } = computer.openSession(name);
    return createHooks(files, {
      session: id,
      isResumed: (recorder.recent?.(id, 1) ?? []).length > 0,
      warn,
      environment: { ...io.environment, HAFT_SESSION: id },
      roots: computer.roots,
      refuse: (handler) => refuseHook(handler, computer),
    });
  };
}

/** Returns the hook files and their scripts in the workspace that do not run until a person trusts them. */
export async function listUntrustedHooks(
  options: Pick<CommonOptions, "hooks">,
  computer: DiskComputer,
  io: Io,
): Promise<readonly ProjectItem[]> {
  const sources = findSources(options, io);
  if (sources === undefined) return [];
  return (await load(sources, computer)).untrusted;
}

function findSources({ hooks }: Pick<CommonOptions, "hooks">, io: Io): HookSources | undefined {
  const imported = listImportedHooks(stateDirectory(io.environment));
  return imported.length + hooks.length === 0 ? undefined : { imported, named: hooks };
}

async function load(sources: HookSources, computer: DiskComputer): Promise<LoadedHooks> {
  const { loadHooks } = await import("@haft/connect/internal/hooks");
  try {
    return await loadHooks(sources, computer);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
