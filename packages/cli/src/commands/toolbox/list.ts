import { readToolbox } from "@haft/connect/internal/toolbox";
import { toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { locateToolbox } from "./locate-toolbox.ts";

interface Row {
  readonly name: string | null;
  readonly script: string;
  readonly description: string | null;
  readonly state: "ready" | "unusable";
  /** Why it is unusable. */
  readonly warning?: string;
}

/** `haft toolbox list`: every script of the toolbox, including unusable ones. */
export async function listToolbox(
  _input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const located = locateToolbox(openComputer(options, io), io);
  const { scripts, faults } = await readToolbox(located);
  const rows: Row[] = [
    ...scripts.map(({ id, script, described }) => ({
      name: id,
      script: script.path,
      description: described.description,
      state: "ready" as const,
    })),
    ...faults.map(({ path, fault }) => ({
      name: null,
      script: path,
      description: null,
      state: "unusable" as const,
      warning: fault,
    })),
  ];
  if (options.json) printJson(rows, io);
  else if (rows.length === 0) io.out(`${toVisibleLine(explainNothing(located.directories))}\n`);
  else printRows(rows, io);
  return 0;
}

function explainNothing(directories: readonly string[]): string {
  const where = directories.length === 0 ? "" : ` in ${directories.join(", ")}`;
  return `No scripts${where}. Create one with: haft toolbox make NAME`;
}

function printRows(rows: readonly Row[], io: Io): void {
  const width = Math.max(...rows.map(({ name }) => (name ?? "-").length));
  for (const { name, script, description, warning } of rows) {
    const said = warning === undefined ? firstLine(description ?? "") : `! ${warning}`;
    io.out(`${(name ?? "-").padEnd(width)}  ${toVisibleLine(said)}\n`);
    io.out(`${" ".repeat(width)}  ${toVisibleLine(script)}\n`);
  }
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
