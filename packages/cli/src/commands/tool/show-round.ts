import { diffLines } from "@haft/contract/internal";
import { toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { indentJson, showStream } from "./print-output.ts";

/** An input to try; without `input` it can't be used, for the reason in `problem`. */
export interface Example {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

/** What became of an example. */
export interface Tried {
  readonly name: string;
  readonly succeeded: boolean;
  readonly output?: string;
  readonly error?: string;
  readonly durationMs: number;
  readonly printed?: Readonly<Record<"stdout" | "stderr", { readonly text: string }>>;
}

/** A build, and what became of the examples; without them the build failed, because of `problem`. */
export interface Round {
  readonly buildMs: number;
  readonly problem?: string;
  readonly tried?: readonly Tried[];
}

const contextLines = 2;

/** Creates what prints rounds. It knows the last output of each example, to show what changed. */
export function createRoundPrinter({ options }: CommandInput, io: Io): (round: Round) => void {
  const last = new Map<string, string>();
  const show = (text: string): string => (io.outputIsTerminal ? toVisibleText(text) : text);
  const toLines = (tried: Tried): string => {
    const { name, succeeded, durationMs, printed } = tried;
    const text = succeeded ? indentJson(tried.output ?? "") : (tried.error ?? "");
    const before = last.get(name);
    last.set(name, text);
    const streams = (["stdout", "stderr"] as const)
      .filter((stream) => (printed?.[stream].text ?? "") !== "")
      .map((stream) => showStream(stream, printed?.[stream].text ?? "", io.outputIsTerminal));
    const body =
      before === undefined || before === text ? text : `${text}\n\nchanged:\n${diff(before, text)}`;
    const shown = show(body).replace(/^(?=.)/gmu, "    ");
    return `${succeeded ? "✓" : "✗"} ${show(name)}, ${durationMs} ms\n${streams.join("")}${shown}\n`;
  };
  return (round) => {
    if (options.json === true) {
      io.out(`${JSON.stringify(toJson(round, last))}\n`);
      return;
    }
    const { buildMs, problem, tried = [] } = round;
    const took = `${(buildMs / 1_000).toFixed(1)} s`;
    io.out(problem === undefined ? `Built in ${took}\n` : `✗ ${show(problem)}\n`);
    for (const each of tried) io.out(toLines(each));
  };
}

function toJson({ buildMs, problem, tried }: Round, last: Map<string, string>): object {
  const build = { build_ms: buildMs, ...(problem !== undefined && { error: problem }) };
  if (tried === undefined) return build;
  const results = tried.map(({ name, succeeded, output, error, durationMs, printed }) => {
    const text = output ?? error ?? "";
    const before = last.get(name);
    last.set(name, text);
    return {
      ...{ example: name, succeeded, duration_ms: durationMs },
      ...(succeeded ? { output } : { error }),
      ...{ stdout: printed?.stdout.text ?? "", stderr: printed?.stderr.text ?? "" },
      changed: before !== undefined && before !== text,
    };
  });
  return { ...build, results };
}

function diff(before: string, after: string): string {
  const lines = diffLines(before.split("\n"), after.split("\n")).flatMap((run, index, runs) => {
    if (!run.isSame) {
      return [...run.before.map((line) => `- ${line}`), ...run.after.map((line) => `+ ${line}`)];
    }
    const isLong = run.before.length > 2 * contextLines;
    const head = index === 0 ? [] : run.before.slice(0, contextLines);
    const tail = index === runs.length - 1 ? [] : run.before.slice(-contextLines);
    const kept = isLong ? [...head, "…", ...tail] : run.before;
    return kept.map((line) => `  ${line}`);
  });
  return lines.join("\n");
}
