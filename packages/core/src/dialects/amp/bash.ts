import type { PrepareEnvironment } from "@haft/contract";
import type { DialectAlias } from "../dialect.ts";
import { toExitCode } from "./to-exit-code.ts";

const maxOutputCharacters = 50_000;

/** `Bash`: one command, its output in a frame. */
export const bash: DialectAlias = {
  name: "Bash",
  tool: "bash",
  settings: { tail_characters: maxOutputCharacters },
  toData: (data, args, environment) => {
    const { output = "", exit_code, signal, ...odd } = data as BashData;
    const { command = "", cwd } = args as BashArguments;
    return [
      `<command>${command}</command>`,
      `<working_directory>${toDirectory(cwd, environment)}</working_directory>`,
      `<output>${output}${describeOddities(odd)}</output>`,
      `<exit_code>${toExitCode(exit_code, signal)}</exit_code>`,
    ].join("\n");
  },
};

interface BashData extends Oddities {
  readonly output?: string;
  readonly exit_code?: number | null;
  readonly signal?: string;
}

interface Oddities {
  readonly waited_for_input?: string;
  readonly left_running?: readonly { readonly command: string }[];
  readonly refused_hosts?: readonly string[];
  readonly notes?: readonly string[];
  readonly advice?: string;
}

interface BashArguments {
  readonly command?: string;
  readonly cwd?: string;
}

// The frame has no place for what Amp does not tell, and a model is lost without it.
function describeOddities(odd: Oddities): string {
  const { waited_for_input: prompt, left_running = [], refused_hosts = [], notes = [] } = odd;
  const sentences = [
    ...(prompt === undefined ? [] : [`Ended: it waited for input at ${JSON.stringify(prompt)}.`]),
    ...left_running.map(({ command }) => `Ended, because it was left running: ${command}`),
    ...refused_hosts.map((host) => `Refused to connect to ${host}.`),
    ...notes,
    ...(odd.advice === undefined ? [] : [odd.advice]),
  ];
  return sentences.map((sentence) => `\n[${sentence}]`).join("");
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
