import { describeCall } from "@haft/agent/internal/threads";
import type { ThreadSummary } from "@haft/agent/threads";
import { showMessage } from "./show-moment.ts";
import { type ExportedSession, readTimeline, toCallJson } from "./timeline.ts";
import { writeHtml } from "./write-html.ts";

/** Writes a whole session in a format, piece by piece. */
export type WriteExport = (session: ExportedSession) => Iterable<string>;

/** Every format, by name. */
export const exportFormats: ReadonlyMap<string, WriteExport> = new Map([
  ["json", writeJson],
  ["jsonl", writeLines],
  ["markdown", writeMarkdown],
  ["html", writeHtml],
]);

function* writeJson(session: ExportedSession): Generator<string> {
  const facts = JSON.stringify(factsOf(session));
  yield `${facts.slice(0, -1)},\n"entries":[`;
  yield* join(entriesOf(session));
  yield '],\n"calls":[';
  yield* join(callsOf(session));
  yield "]}\n";
}

function* writeLines(session: ExportedSession): Generator<string> {
  yield `${JSON.stringify({ type: "thread", ...factsOf(session) })}\n`;
  for (const entry of entriesOf(session)) yield `${JSON.stringify({ type: "entry", ...entry })}\n`;
  for (const call of callsOf(session)) yield `${JSON.stringify({ type: "call", ...call })}\n`;
}

const everything = {
  text: Number.POSITIVE_INFINITY,
  call: Number.POSITIVE_INFINITY,
  result: Number.POSITIVE_INFINITY,
};

function* writeMarkdown(session: ExportedSession): Generator<string> {
  const { id, threads } = session;
  const { title, workspace } = factsOf(session);
  yield `# ${title ?? id}\n\nSession ${id}${workspace === undefined ? "" : `, in ${workspace}`}\n`;
  for (const moment of readTimeline(threads, id)) {
    if (moment.type === "message") {
      const [speaker = "", ...lines] = showMessage(moment.entry).split("\n");
      const said = lines.map((line) => line.replace(/^ {4}/u, "")).join("\n");
      yield `\n## ${speaker}\n${said === "" ? "" : `\n${said}\n`}`;
    } else {
      const { name } = moment.call;
      yield `\n### ${name}\n\n${fence(describeCall(1, moment.call, everything).slice("#1 ".length))}\n`;
    }
  }
}

// The fence must be longer than every fence in the text.
function fence(text: string): string {
  const maxTicks = Math.max(2, ...[...text.matchAll(/`{3,}/gu)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(maxTicks + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

interface ExportedFacts {
  readonly id: string;
  readonly name: string;
  readonly workspace?: string | undefined;
  readonly title?: string | undefined;
  readonly [other: string]: unknown;
}

function factsOf({ id, threads }: ExportedSession): ExportedFacts {
  const thread: ThreadSummary | undefined = threads.find(id);
  const name = id.slice(id.lastIndexOf("/") + 1);
  if (thread === undefined) return { id, name };
  const { title, workspace, agent, parent, forkedFrom, createdAt, updatedAt } = thread;
  return {
    id,
    name,
    workspace,
    title,
    agent,
    parent,
    forked_from: forkedFrom,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
  };
}

function* entriesOf({ id, threads }: ExportedSession): Generator<object> {
  for (const { at, time, entry } of threads.entries(id)) {
    yield { at, time: new Date(time).toISOString(), ...entry };
  }
}

function* callsOf({ id, threads }: ExportedSession): Generator<object> {
  for (const call of threads.calls(id)) yield toCallJson(call);
}

function* join(items: Iterable<object>): Generator<string> {
  let separator = "\n";
  for (const item of items) {
    yield `${separator}${JSON.stringify(item)}`;
    separator = ",\n";
  }
}
