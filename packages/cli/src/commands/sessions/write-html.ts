import { toOutputText } from "@haft/agent/internal/threads";
import { toAiSdkOutput } from "@haft/connect/internal/ai-sdk";
import { isPlainObject } from "@haft/contract/internal";
import { toVisibleText } from "@haft/core/internal";
import { findDiffs } from "../../terminal/find-diffs.ts";
import { showMessage } from "./show-moment.ts";
import { type ExportedSession, type Moment, readTimeline } from "./timeline.ts";

/**
 * Writes a session as one HTML page: messages, and calls with their arguments, diffs and outputs folded.
 * The session of a subagent is inside the call that started it, and the calls of a program are indented
 * below the program's. The page has no script and loads nothing.
 */
export function* writeHtml({ id, threads }: ExportedSession): Generator<string> {
  const thread = threads.find(id);
  const title = toHtml(thread?.title ?? id);
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`;
  // Even if something were not escaped, nothing in the page could run or load anything.
  yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n`;
  yield `<meta name="viewport" content="width=device-width">\n<title>${title}</title>\n`;
  yield `<style>${style}</style>\n</head>\n<body>\n<h1>${title}</h1>\n`;
  const where = thread === undefined ? "" : `, in ${thread.workspace}`;
  yield `<p class="facts">${toHtml(`Session ${id}${where}`)}</p>\n`;
  yield* writeMoments({ id, threads, written: new Set([id]) });
  yield "</body>\n</html>\n";
}

interface NestedSession extends ExportedSession {
  /** The sessions that are on the page. Each is there once, with the first call that names it. */
  readonly written: Set<string>;
}

function* writeMoments(session: NestedSession): Generator<string> {
  for (const moment of readTimeline(session.threads, session.id)) {
    if (moment.type === "call") yield* writeCall(moment, session);
    else yield writeMessage(moment);
  }
}

function writeMessage({ entry, time }: Extract<Moment, { type: "message" }>): string {
  const [speaker = "", ...lines] = showMessage(entry).split("\n");
  const said = lines.map((line) => line.replace(/^ {4}/u, "")).join("\n");
  const heading = `<h2>${toHtml(speaker)} ${writeTime(time)}</h2>`;
  const text = said === "" ? "" : `<pre>${toHtml(said)}</pre>`;
  return `<section class="${entry.kind}">${heading}${text}</section>\n`;
}

function* writeCall(
  { call, isInner }: Extract<Moment, { type: "call" }>,
  session: NestedSession,
): Generator<string> {
  const { name, state, startedAt, result } = call;
  const { duration_ms, truncated } = result.metadata;
  const cut = truncated === true ? ", cut" : "";
  const facts = toHtml(`${state}, ${duration_ms} ms${cut}`);
  const kind = isInner === true ? "inner" : "call";
  yield `<section class="${kind}"><h3>${toHtml(name)} <small>${facts}</small> ${writeTime(startedAt)}</h3>\n`;
  const args = call.arguments;
  yield fold(
    "arguments",
    toHtml(typeof args === "string" ? args : JSON.stringify(args, undefined, 2)),
  );
  const data = result.type === "error" ? undefined : result.data;
  for (const diff of isPlainObject(data) ? findDiffs(data) : []) yield fold("diff", markDiff(diff));
  const what = result.type === "error" ? "error" : "output";
  yield fold(what, toHtml(toOutputText(toAiSdkOutput(result))));
  const child = findChild(data, session);
  if (child !== undefined) {
    yield `<details><summary>${toHtml(`session ${child}`)}</summary>\n`;
    yield* writeMoments({ ...session, id: child });
    yield "</details>\n";
  }
  yield "</section>\n";
}

// What a tool names is only text: it must be a session that this one started.
function findChild(data: unknown, { id, threads, written }: NestedSession): string | undefined {
  const child = isPlainObject(data) ? data.thread : undefined;
  if (typeof child !== "string" || written.has(child)) return undefined;
  const found = threads.find(child);
  if (found?.parent !== id || found.forkedFrom !== undefined || found.isOpaque) return undefined;
  written.add(child);
  return child;
}

/** `html` is escaped already. */
function fold(title: string, html: string): string {
  return `<details><summary>${title}</summary><pre>${html}</pre></details>\n`;
}

function markDiff(diff: string): string {
  return diff
    .split("\n")
    .map((line) => {
      const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined;
      return kind === undefined ? toHtml(line) : `<span class="${kind}">${toHtml(line)}</span>`;
    })
    .join("\n");
}

function writeTime(time: number): string {
  return `<time>${new Date(time).toISOString()}</time>`;
}

function toHtml(text: string): string {
  return toVisibleText(text).replaceAll(/[&<>"']/gu, (sign) => `&#${sign.charCodeAt(0)};`);
}

const style = `
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
h1 { font-size: 1.4rem; } h2, h3 { font-size: 1rem; margin: 0; }
section { margin: 1rem 0; padding: .5rem 1rem; border-left: 3px solid #ccc; }
.inner { margin-left: 2rem; } .user { border-color: #36c; } .assistant { border-color: #393; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; font: 13px/1.4 ui-monospace, monospace; }
summary { cursor: pointer; } small, time, .facts { color: #666; font-weight: normal; font-size: .85rem; }
.added { color: #161; background: #efe; } .removed { color: #911; background: #fee; }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #181818; } small, time, .facts { color: #999; }
  .added { color: #9d9; background: #132; } .removed { color: #f99; background: #311; }
}
`;
