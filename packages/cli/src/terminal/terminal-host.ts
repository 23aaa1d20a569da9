import { ToolError } from "@haft/contract";
import { type AskAnswer, type AskRequest, formatRule, type Host, headlessHost } from "@haft/core";
import type { Io } from "../io.ts";
import { toVisibleText } from "./visible-text.ts";

const answers: Readonly<Record<string, AskAnswer["answer"]>> = {
  y: "once",
  yes: "once",
  s: "session",
  p: "project",
  n: "reject",
  no: "reject",
};

/** Asks whoever sits at the terminal. */
export function createTerminalHost(io: Io): Host {
  // Calls of a batch may ask at once; a person answers one after the other.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const next = last.then(ask, ask);
    last = next.catch(() => {});
    return next;
  };
  return {
    headless: false,
    ask: (request) => inTurn(() => askOnce(request, io)),
    question: (questions, signal) =>
      inTurn(async () => {
        const given: string[][] = [];
        for (const question of questions) given.push(await putQuestion(question, io, signal));
        return given;
      }),
  };
}

/** A host that has been told yes in advance: it approves each call, and has nobody to question. */
export const approvingHost: Host = {
  headless: false,
  ask: async () => ({ answer: "once" }),
  question: headlessHost.question,
};

async function askOnce(request: AskRequest, io: Io): Promise<AskAnswer> {
  const rules = request.rules.map((rule) => `      ${formatRule(rule)}`).join("\n");
  io.error(
    toVisibleText(
      `\n${request.name} wants to run (${request.reason}):\n${JSON.stringify(request.arguments, undefined, 2)}\n  y  once\n  s  always in this session; p  always in this project; stores\n${rules}\n  n  no\n`,
    ),
  );
  for (;;) {
    const line = await io.readLine("Run it? [y/s/p/n] ", request.signal);
    if (line === undefined) return { answer: "reject", reason: "Nobody answered." };
    const answer = answers[line.trim().toLowerCase()];
    if (answer !== undefined) return { answer };
    io.error("Please answer y, s, p or n.\n");
  }
}

async function putQuestion(
  question: Parameters<Host["question"]>[0][number],
  io: Io,
  signal: AbortSignal,
): Promise<string[]> {
  const options = question.options ?? [];
  const list = options.map((option, index) => {
    const description = option.description === undefined ? "" : `: ${option.description}`;
    return `  ${index + 1}  ${option.label}${description}`;
  });
  io.error(toVisibleText(`\n${[question.question, ...list].join("\n")}\n`));
  const line = await io.readLine("> ", signal);
  if (line === undefined) throw new ToolError("rejected-by-user", "The question was not answered.");
  const words = question.multi_select === true ? line.split(",") : [line];
  return words.map((word) => options[Number(word.trim()) - 1]?.label ?? word.trim());
}
