import { type Question, ToolError } from "@haft/contract";
import {
  type AskAnswer,
  type AskRequest,
  type Host,
  headlessHost,
  type Rule,
  toVisibleText,
} from "@haft/core";
import type { Io } from "../io.ts";
import { editRules } from "./edit-rules.ts";
import { showAnswers, showPreview, showRequest } from "./show-request.ts";

/** Says what confines the programs of a tool, if it runs any. */
export type ConfinementOf = (tool: string) => Promise<string | undefined>;

const answers: Readonly<Record<string, AskAnswer["answer"]>> = {
  y: "once",
  yes: "once",
  s: "session",
  p: "project",
  n: "reject",
  no: "reject",
};

/** Asks whoever sits at the terminal. */
export function createTerminalHost(io: Io, confinementOf: ConfinementOf): Host {
  // Calls of a batch may ask at once; a person answers one after the other.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const next = last.then(ask, ask);
    last = next.catch(() => {});
    return next;
  };
  return {
    headless: false,
    ask: (request) =>
      inTurn(async () => {
        io.error(showRequest(request, await confinementOf(request.tool)));
        return askOnce(request, io);
      }),
    question: ({ questions, signal }) =>
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
  const { signal } = request;
  let rules: readonly Rule[] = request.rules;
  io.error(showAnswers(rules, showPreview(await request.wouldAllow())));
  for (;;) {
    const choices = rules.length === 0 ? "y/n" : "y/s/p/e/n";
    const line = await io.readLine(`Run it? [${choices}] `, signal);
    if (line === undefined) return nobody;
    const word = line.trim().toLowerCase();
    if (word === "e" && rules.length > 0) {
      const edited = await editRules(rules, io, signal);
      if (edited === undefined) return nobody;
      rules = edited;
      io.error(showAnswers(rules, []));
      continue;
    }
    const answer = Object.hasOwn(answers, word) ? answers[word] : undefined;
    const stores = answer === "session" || answer === "project";
    if (answer !== undefined && !(stores && rules.length === 0)) return { answer, rules };
    io.error(`Please answer ${choices.replaceAll("/", ", ").replace(/, (.)$/u, " or $1")}.\n`);
  }
}

const nobody: AskAnswer = { answer: "reject", reason: "Nobody answered." };

async function putQuestion(question: Question, io: Io, signal: AbortSignal): Promise<string[]> {
  const options = question.options ?? [];
  const list = options.map((option, index) => {
    const description = option.description === undefined ? "" : `: ${option.description}`;
    return `  ${index + 1}  ${option.label}${description}`;
  });
  io.error(toVisibleText(`\n${[...showHeader(question), ...list].join("\n")}\n`));
  const line = await io.readLine("> ", signal);
  if (line === undefined) throw new ToolError("rejected-by-user", "The question was not answered.");
  const words = question.multi_select === true ? line.split(",") : [line];
  return words.map((word) => options[Number(word.trim()) - 1]?.label ?? word.trim());
}

function showHeader({ question, options = [], multi_select: takesSeveral }: Question): string[] {
  if (options.length === 0) return [question];
  const how = takesSeveral === true ? "numbers with commas between them" : "a number";
  return [question, `  (${how}, or your own words)`];
}
