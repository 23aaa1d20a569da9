import type { PrepareEnvironment } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";
import { type CommandData, describeOddities, toExitCode } from "../shared/shell.ts";

const maxOutputCharacters = 50_000;

/** `Bash`: runs a command and frames its output with tags. */
export const bash: DialectAlias = {
  name: "Bash",
  tool: "bash",
  settings: { tail_characters: maxOutputCharacters, errors_last: true },
  toData: (data, args, environment) => {
    const { output = "", exit_code, signal, ...odd } = data as CommandData;
    const { command = "", cwd } = args as BashArguments;
    return [
      `<command>${command}</command>`,
      `<working_directory>${toDirectory(cwd, environment)}</working_directory>`,
      `<output>${output}${describeOddities(odd)}</output>`,
      `<exit_code>${toExitCode(exit_code, signal)}</exit_code>`,
    ].join("\n");
  },
};

interface BashArguments {
  readonly command?: string;
  readonly cwd?: string;
}

function toDirectory(cwd = ".", { roots }: PrepareEnvironment): string {
  const path = cwd.startsWith("/") ? cwd : `${roots[0] ?? ""}/${cwd}`;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
