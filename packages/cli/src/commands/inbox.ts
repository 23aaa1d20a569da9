import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { InboxItem, InboxQuery } from "@haft/platform/client";
import type { CommandInput } from "../command.ts";
import { openClient } from "../environments/open-client.ts";
import { optionTexts } from "../environments/option-values.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { toTable } from "../terminal/table.ts";
import { showTime } from "./tool/show-time.ts";

const maxQuestionCharacters = 60;

/** `haft inbox list` */
export async function listInbox(input: CommandInput, io: Io): Promise<number> {
  const states = optionTexts(input, "state") as NonNullable<InboxQuery["state"]>;
  const query: InboxQuery = states.length === 0 ? {} : { state: states };
  const client = openClient(input, io);
  const items: InboxItem[] = [];
  for (let next: InboxQuery | undefined = query; next !== undefined; ) {
    const page = await client.inbox.list(next);
    items.push(...page.items);
    next =
      page.continuation_token === null
        ? undefined
        : { ...query, continuation_token: page.continuation_token };
  }
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

/** `haft inbox show` */
export async function showItem(input: CommandInput, io: Io): Promise<number> {
  const [id = ""] = input.positionals;
  print(await openClient(input, io).inbox.get(id), input, io);
  return 0;
}

/** `haft inbox answer` */
export async function answerItem(input: CommandInput, io: Io): Promise<number> {
  const [id = "", text = ""] = input.positionals;
  const item = await openClient(input, io).inbox.answer(id, readAnswer(text));
  if (input.options.json === true) printJson(item, io);
  else io.out(`${toVisibleLine(`Answered. ${item.tool_name} continues.`)}\n`);
  return 0;
}

/** `haft inbox link` */
export async function linkItem(input: CommandInput, io: Io): Promise<number> {
  const [id = "", text] = input.positionals;
  const answer = text === undefined ? undefined : readAnswer(text);
  const link = await openClient(input, io).inbox.link(id, answer);
  if (input.options.json === true) printJson(link, io);
  else {
    io.out(`${toVisibleLine(link.url)}\n`);
    io.error(`haft: anyone with this link can answer, until ${showTime(link.expires_at)}\n`);
  }
  return 0;
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
