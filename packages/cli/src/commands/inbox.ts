import {
  answerQuestion,
  currentUser,
  type InboxEntry,
  openSessionInbox,
  type SessionInbox,
  stateDirectory,
  toInboxItem,
} from "@haft/computer/internal";
import { showArguments, showChanges, toVisibleLine, toVisibleText } from "@haft/core/internal";
import { type InboxItem, type InboxQuery, PlatformError } from "@haft/platform/client";
import type { CommandInput } from "../command.ts";
import { findEnvironment } from "../environments/find-environment.ts";
import { openClient, toClient } from "../environments/open-client.ts";
import { optionText, optionTexts } from "../environments/option-values.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { toTable } from "../terminal/table.ts";
import { UsageError } from "../usage-error.ts";
import { showTime } from "./tool/show-time.ts";

const maxQuestionCharacters = 60;

/** `haft inbox list` */
export async function listInbox(input: CommandInput, io: Io): Promise<number> {
  const given = optionTexts(input, "state") as NonNullable<InboxQuery["state"]>;
  const states = given.length === 0 ? (["waiting"] as const) : given;
  const own = openLocal(io)
    .list()
    .filter(({ state }) => (states as readonly string[]).includes(state))
    .map(toInboxItem);
  // A server on this machine lists the same calls of sessions.
  const known = new Set(own.map(({ id }) => id));
  const others = await listPlatform(input, { state: [...states] }, io);
  const items: InboxItem[] = [...own, ...others.filter(({ id }) => !known.has(id))];
  if (input.options.json === true) {
    printJson({ items }, io);
    return 0;
  }
  if (items.length === 0) io.error("haft: the inbox is empty\n");
  else {
    io.out(
      toTable([
        ["ID", "STATE", "TOOL", "DEADLINE", "QUESTION"],
        ...items.map(({ id, state, tool_name, deadline_at, question }) => [
          ...[id, state, tool_name, showTime(deadline_at)],
          question.slice(0, maxQuestionCharacters),
        ]),
      ]),
    );
  }
  return 0;
}

/** Lists the platform's items, if there is a platform. One that was not named need not run. */
async function listPlatform(input: CommandInput, query: InboxQuery, io: Io): Promise<InboxItem[]> {
  const environment = findEnvironment(input, io);
  const isNamed = input.options.env !== undefined || input.options.data !== undefined;
  if (environment === undefined) {
    if (isNamed) openClient(input, io);
    return [];
  }
  const { inbox } = toClient(environment, io);
  const items: InboxItem[] = [];
  try {
    for (let next: InboxQuery | undefined = query; next !== undefined; ) {
      const page = await inbox.list(next);
      items.push(...page.items);
      const token = page.continuation_token;
      next = token === null ? undefined : { ...query, continuation_token: token };
    }
  } catch (error) {
    const isAway = PlatformError.isInstance(error) && error.status === 0;
    const isImplied = !isNamed && io.environment.HAFT_URL === undefined;
    if (!isAway || !isImplied || io.signal.aborted) throw error;
  }
  return items;
}

/** `haft inbox show` */
export async function showItem(input: CommandInput, io: Io): Promise<number> {
  const [id = ""] = input.positionals;
  const entry = isLocal(id) ? openLocal(io).find(id) : undefined;
  if (isLocal(id) && entry === undefined) throw noQuestion(id);
  const item = entry === undefined ? requireId(id) : id;
  if (entry === undefined) print(await openClient(input, io).inbox.get(item), input, io);
  else if (input.options.json === true) printJson(toInboxItem(entry), io);
  else io.out(describe(entry));
  return 0;
}

/** `haft inbox answer` */
export async function answerItem(input: CommandInput, io: Io): Promise<number> {
  const [id = "", text = ""] = input.positionals;
  const reason = optionText(input, "reason");
  if (!isLocal(id)) {
    if (reason !== undefined) {
      throw new UsageError("--reason is for calls of sessions, whose IDs have 32 digits.");
    }
    requireId(id);
    const item = await openClient(input, io).inbox.answer(id, readAnswer(text));
    if (input.options.json === true) printJson(item, io);
    else io.out(`${toVisibleLine(`Answered. ${item.tool_name} continues.`)}\n`);
    return 0;
  }
  const by = currentUser();
  const inbox = openLocal(io);
  const questions = inbox.find(id)?.question.questions ?? [];
  const isText = questions.length === 0 || (questions.length === 1 && !questions[0]?.multi_select);
  const answered = answerQuestion(inbox, id, {
    ...{ answer: isText ? text : readAnswer(text), reason, by, via: "haft inbox" },
  });
  if (answered.refused !== undefined) {
    if (answered.refused === "missing") throw noQuestion(id);
    if (answered.refused === "invalid") throw new UsageError(answered.why);
    throw new PlatformError(0, answered.why);
  }
  const { entry } = answered;
  if (input.options.json === true) printJson(toInboxItem(entry), io);
  else io.out(`${toVisibleLine(`Answered ${text}. ${describeNext(entry)}`)}\n`);
  return 0;
}

/** `haft inbox link` */
export async function linkItem(input: CommandInput, io: Io): Promise<number> {
  const [id = "", text] = input.positionals;
  const answer = text === undefined ? undefined : readAnswer(text);
  const link = await openClient(input, io).inbox.link(isLocal(id) ? id : requireId(id), answer);
  if (input.options.json === true) printJson(link, io);
  else {
    io.out(`${toVisibleLine(link.url)}\n`);
    io.error(`haft: anyone with this link can answer, until ${showTime(link.expires_at)}\n`);
  }
  return 0;
}

function openLocal(io: Io): SessionInbox {
  return openSessionInbox(stateDirectory(io.environment));
}

// Calls of sessions have longer IDs than items of a platform.
function isLocal(id: string): boolean {
  return /^[0-9a-f]{32}$/u.test(id);
}

function requireId(id: string): string {
  if (/^[0-9a-f]{24}$/u.test(id)) return id;
  const shown = JSON.stringify(id.slice(0, maxQuestionCharacters));
  throw new UsageError(`${shown} is not an ID of the inbox. haft inbox lists them.`);
}

function noQuestion(id: string): UsageError {
  return new UsageError(`There is no question ${id} on this machine. haft inbox lists them.`);
}

function describeNext({ question, decision, isHeld }: InboxEntry): string {
  const { name, asker, call, questions } = question;
  if (decision?.answer === "no") return `${name} does not run.`;
  if (isHeld) return `${name} ${questions === undefined ? "is judged again and " : ""}continues.`;
  return call === undefined
    ? `${asker} has ended, so ${name} does not run.`
    : `${asker} has ended: ${name} runs when the same command is repeated or its client asks for the status, until ${question.deadlineAt}.`;
}

function describe(entry: InboxEntry): string {
  const { question, decision, state, progress, isHeld } = entry;
  const { effects, rules, questions } = question;
  const { kind, question: asked, answer } = toInboxItem(entry);
  const rows: readonly (readonly [string, string])[] = [
    ["ID", `${question.id} (${kind}, ${state}, ${progress})`],
    ["Workspace", question.workspace],
    ["Session", question.session],
    ["Asked", `${showTime(question.createdAt)} by ${question.asker} of ${question.user}`],
    ["Deadline", showTime(question.deadlineAt)],
    ["Process", isHeld ? "waits" : "has ended"],
    ...(questions === undefined
      ? ([
          ["Reason", question.reason],
          [
            "Always",
            rules.length === 0 ? "can't be stored: it needs approval each time" : "stores",
          ],
          ...rules.map((rule) => ["", rule] as const),
        ] as const)
      : []),
    ...(decision === undefined
      ? []
      : ([
          ["Answered", `${showTime(decision.at)} by ${decision.by}, ${decision.via}`],
          [
            "Answer",
            decision.answers === undefined
              ? [decision.answer, decision.reason ?? []].flat().join(": ")
              : JSON.stringify(answer),
          ],
        ] as const)),
  ];
  const lines = [
    `${question.name} (${question.tool})`,
    ...(questions === undefined ? showArguments(question.arguments) : asked.split("\n")),
    "",
    ...(effects === undefined ? [] : [...showChanges(effects), ""]),
    ...rows.map(([name, value]) => `  ${name.padEnd(10)} ${toVisibleLine(value)}`),
  ];
  return `${lines.map(toVisibleLine).join("\n")}\n`;
}

function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function print(item: InboxItem, { options }: CommandInput, io: Io): void {
  if (options.json === true) {
    printJson(item, io);
    return;
  }
  const { tool_version: version, answerers } = item;
  const isAnswered = item.answered_by !== null;
  const rows: readonly (readonly [string, string])[] = [
    ["ID", `${item.id} (${item.kind}, ${item.state})`],
    ["Tool", version === null ? item.tool_name : `${item.tool_name} ${version}`],
    ["Call", `${item.source.type} ${item.source.id}`],
    ["Arguments", JSON.stringify(item.arguments)],
    ["Asked", showTime(item.created_at)],
    ["Deadline", showTime(item.deadline_at)],
    ["Answerers", answerers === null ? "everyone who may answer" : answerers.join(", ")],
    ["Schema", item.schema === null ? "any JSON" : JSON.stringify(item.schema)],
    ...(isAnswered
      ? ([
          ["Answered", toAnswerer(item)],
          ["Answer", JSON.stringify(item.answer)],
        ] as const)
      : []),
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(10)} ${toVisibleLine(value)}`);
  io.out(`${toVisibleText(item.question)}\n\n${lines.join("\n")}\n`);
}

function toAnswerer({ answered_at, answered_by, answered_via, on_behalf_of }: InboxItem): string {
  const link = answered_via === "link" ? ", through a link" : "";
  const who = on_behalf_of === null ? "" : ` for ${on_behalf_of}`;
  return `${showTime(answered_at ?? undefined)} by ${answered_by}${who}${link}`;
}
