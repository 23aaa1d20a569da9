import { stateDirectory } from "@haft/computer/internal";
import { listImportedHooks } from "@haft/connect/internal";
import { loadHooks } from "@haft/connect/internal/hooks";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { formatHookFile, listHookLines } from "./hook-lines.ts";

/** `haft hooks list`: shows the hooks that run in this workspace. */
export async function listHooks(
  _input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const computer = openComputer(options, io);
  const imported = listImportedHooks(stateDirectory(io.environment));
  const { files, untrusted, warnings } = await loadHooks(
    { imported, named: options.hooks },
    computer,
  ).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  const scopeOf = (path: string): string => {
    const found = imported.find((one) => one.path === path);
    if (found === undefined) return "this run";
    return found.workspace === undefined ? "every workspace" : "this workspace";
  };
  const waiting = untrusted.map(({ path }) => path);
  if (options.json) {
    const shown = files.map((file) => ({
      path: file.path,
      agent: file.format,
      scope: scopeOf(file.path),
      hooks: listHookLines(file),
      ignored: file.ignored,
    }));
    printJson({ files: shown, untrusted: waiting, warnings }, io);
    return 0;
  }
  if (files.length + waiting.length === 0) {
    io.out("No hooks. To use those of Claude Code, Codex or Gemini CLI: haft hooks import\n");
  }
  for (const file of files) {
    for (const line of formatHookFile(file, scopeOf(file.path))) io.out(`${toVisibleLine(line)}\n`);
  }
  for (const path of waiting) io.out(`${toVisibleLine(path)} is not trusted: haft trust\n`);
  for (const warning of warnings) io.error(`haft: ${toVisibleLine(warning)}\n`);
  return 0;
}
