import { inWords, type Words } from "./words.ts";

/** What `bash` tells of a command. */
export interface CommandData extends Oddities {
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

/** What no family's own text has a place for, and a model is lost without: a line for each. */
export function describeOddities(data: Oddities, words: Words = {}): string {
  const { waited_for_input: prompt, left_running = [], refused_hosts = [], notes = [] } = data;
  const sentences = [
    ...(prompt === undefined ? [] : [`Ended: it waited for input at ${JSON.stringify(prompt)}.`]),
    ...left_running.map(({ command }) => `Ended, because it was left running: ${command}`),
    ...refused_hosts.map((host) => `Refused to connect to ${host}.`),
    ...notes,
    ...(data.advice === undefined ? [] : [inWords(data.advice, words)]),
  ];
  return sentences.map((sentence) => `\n[${sentence}]`).join("");
}

/** A command's output with the path of the file that keeps the whole, where it was cut. */
export function nameKeptFile(output: string, outputPath: string | undefined): string {
  if (outputPath === undefined) return output;
  return output.replace(gap, (line) => line.replace(unnamed, () => outputPath));
}

const unnamed = "the path in output_path";
const gap = /^\[… [\d,]+ bytes left out here; .*…\]$/mu;
