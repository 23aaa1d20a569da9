import { type Question, ToolError } from "@haft/contract";
import {
  type AskAnswer,
  type AskEffects,
  type AskedChange,
  type AskRequest,
  type Host,
  headlessHost,
  type Rule,
} from "@haft/core";
import {
  formatRule,
  readAnswer,
  toQuestionText,
  toVisibleLine,
  toVisibleText,
} from "@haft/core/internal";
import type { Io } from "../io.ts";
import { editRules } from "./edit-rules.ts";
import { showEffects } from "./show-effects.ts";
import {
  type AnswerWords,
  areReadable,
  showAnswers,
  showPreview,
  showRequest,
} from "./show-request.ts";

/** Describes the confinement of a tool's programs, if it runs any. */
export type ConfinementOf = (tool: string) => Promise<string | undefined>;

const answers: Readonly<Record<string, AskAnswer["answer"]>> = {
  y: "once",
  yes: "once",
  s: "session",
  p: "project",
  n: "reject",
  no: "reject",
};

/** Creates a host that asks in the terminal. */
export function createTerminalHost(io: Io, confinementOf: ConfinementOf): Host {
  // Calls of a batch may ask at the same time; questions are put one after the other.
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
        const { effects } = request;
        if (effects !== undefined) return askAboutEffects({ ...request, effects }, io);
        io.error(showRequest(request, await confinementOf(request.tool)));
        return askOnce(request, io, runQuestion);
      }),
    question: ({ questions, signal }) =>
      inTurn(async () => {
        const given: string[][] = [];
        for (const question of questions) given.push(await putQuestion(question, io, signal));
        return given;
      }),
  };
}

/** A host that approves every call and cannot answer questions. */
export const approvingHost: Host = {
  headless: false,
  ask: async () => ({ answer: "once" }),
  question: headlessHost.question,
};

/** What is asked about a call, and which answers there are beside the common ones. */
interface CallQuestion {
  readonly prompt: string;
  readonly words: AnswerWords;
  /** Further answers by their key. They return a decision, or nothing to be asked again. */
  readonly more: Readonly<Record<string, () => Promise<AskAnswer | undefined>>>;
}

const runQuestion: CallQuestion = {
  prompt: "Run it?",
  words: { once: "once", no: "no", more: [] },
  more: {},
};

async function askAboutEffects(
  request: AskRequest & { readonly effects: AskEffects },
  io: Io,
): Promise<AskAnswer> {
  const { changes } = request.effects;
  const { text, whole } = showEffects(request, io.terminal?.output.rows ?? defaultRows);
  io.error(text);
  const isChoice = changes.length > 1;
  const more = [
    ...(isChoice ? ["  c  choose which to apply"] : []),
    ...(whole === undefined ? [] : ["  v  view all changes"]),
  ];
  return askOnce(request, io, {
    prompt: "Apply the changes?",
    words: { once: "apply once", no: "discard them", more },
    more: {
      ...(isChoice && { c: () => chooseChanges(changes, io, request.signal) }),
      ...(whole !== undefined && {
        v: async () => {
          io.error(whole);
          return undefined;
        },
      }),
    },
  });
}

const defaultRows = 24;

async function chooseChanges(
  changes: readonly AskedChange[],
  io: Io,
  signal: AbortSignal,
): Promise<AskAnswer | undefined> {
  const line = await io.readLine("Apply which? Numbers, such as 1,3-5: ", signal);
  if (line === undefined) return noAnswer;
  const numbers = line.split(/[\s,]+/u).flatMap((word) => {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/u.exec(word) ?? [];
    const count = Number(last) - Number(first) + 1;
    return count > 0 ? Array.from({ length: count }, (_, at) => Number(first) + at) : [Number.NaN];
  });
  const paths = numbers.map((number) => changes[number - 1]?.path);
  if (paths.every((path) => path !== undefined)) return { answer: "once", paths };
  io.error(`${toVisibleLine(`There is no change ${line}. Numbers are 1 to ${changes.length}.`)}\n`);
  return undefined;
}

async function askOnce(
  request: AskRequest,
  io: Io,
  { prompt, words, more }: CallQuestion,
): Promise<AskAnswer> {
  const { signal } = request;
  const { lines, answers: programAnswers } = offerForProgram(request);
  const choices = { ...more, ...programAnswers };
  const named = { ...words, more: [...words.more, ...lines] };
  let rules: readonly Rule[] = areReadable(request.rules) ? request.rules : [];
  io.error(showAnswers(rules, showPreview(await request.wouldAllow()), named));
  for (;;) {
    const keys = [
      "y",
      ...(rules.length === 0 ? [] : ["s", "p", "e"]),
      ...Object.keys(choices),
      "n",
    ];
    const offered = keys.join("/");
    const line = await io.readLine(`${prompt} [${offered}] `, signal, { keys });
    if (line === undefined) return noAnswer;
    const word = line.trim().toLowerCase();
    if (Object.hasOwn(choices, word)) {
      const given = await choices[word]?.();
      if (given !== undefined) return given;
      continue;
    }
    if (word === "e" && rules.length > 0) {
      const edited = await editRules(rules, io, signal);
      if (edited === undefined) return noAnswer;
      rules = edited;
      io.error(showAnswers(rules, [], named));
      continue;
    }
    const answer = Object.hasOwn(answers, word) ? answers[word] : undefined;
    const stores = answer === "session" || answer === "project";
    if (answer !== undefined && !(stores && rules.length === 0)) return { answer, rules };
    io.error(`Please answer ${offered.replaceAll("/", ", ").replace(/, (.)$/u, " or $1")}.\n`);
  }
}

/** The answers that only a call of a program has. */
function offerForProgram({ program }: AskRequest): {
  readonly lines: readonly string[];
  readonly answers: CallQuestion["more"];
} {
  if (program === undefined) return { lines: [], answers: {} };
  const isOffered = program.rules.length > 0 && areReadable(program.rules);
  return {
    lines: [
      ...(isOffered
        ? [
            "  a  always until this program ends:",
            ...program.rules.map((rule) => `       ${formatRule(rule)}`),
          ]
        : []),
      "  x  no, and stop the program",
    ],
    answers: {
      ...(isOffered && { a: async () => ({ answer: "program" as const }) }),
      x: async () => ({ answer: "stop" as const }),
    },
  };
}

const noAnswer: AskAnswer = { answer: "reject", reason: "The question was not answered." };

async function putQuestion(question: Question, io: Io, signal: AbortSignal): Promise<string[]> {
  io.error(toVisibleText(`\n${toQuestionText(question)}\n`));
  const line = await io.readLine("> ", signal);
  if (line === undefined) throw new ToolError("rejected-by-user", "The question was not answered.");
  return readAnswer(question, line);
}
