import { setTimeout as pause } from "node:timers/promises";
import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type {
  Invocation,
  InvocationFilter,
  PlatformClient,
  PrintedLogs,
} from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionNumber, optionText, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { showStream } from "./print-output.ts";
import { isId, requireTool } from "./require-tool.ts";
import { showTime, showVersion } from "./show-time.ts";

const defaultLimit = 20;
const maxConcurrent = 100;
const pollMs = 1000;
const maxListedLines = 10;

/** `haft tool logs`: invocations, their results and what they printed. */
export async function showLogs(input: CommandInput, io: Io): Promise<number> {
  const [name] = input.positionals;
  if (name !== undefined && isId(name)) {
    const client = openClient(input, io);
    const isTool = (await client.tools.find(name)) !== undefined;
    if (!isTool) return showInvocation(name, client, { input, io });
  }
  const search = optionText(input, "search");
  const isFollowing = input.options.follow === true;
  if (search !== undefined && isFollowing) {
    throw new UsageError(
      "--search shows past invocations and --follow new ones. Use only one of them.",
    );
  }
  const inputs = optionTexts(input, "input");
  if (search !== undefined && inputs.length > 0) {
    throw new UsageError("--search does not go with --input. Leave one of them out.");
  }
  const client = openClient(input, io);
  const tool = name === undefined ? undefined : await requireTool(name, client);
  const filter: InvocationFilter = {
    ...(tool === undefined ? {} : { tool_id: [tool.id] }),
    ...(input.options.failed === true ? { succeeded: false } : {}),
    ...readCallerFilter(input),
    ...(inputs.length === 0 ? {} : { input: inputs }),
  };
  const names = new Map(tool === undefined ? [] : [[tool.id, tool.name]]);
  const show = createShow(client, names, io);
  const limit = optionNumber(input, "limit") ?? defaultLimit;
  if (isFollowing) {
    await follow({ client, filter, limit, show }, input, io).catch((error: unknown) => {
      // Ctrl-C is the normal end.
      if (!io.signal.aborted) throw error;
    });
    return 0;
  }
  const page =
    search === undefined
      ? await client.history.list({ ...filter, limit, with_logs: true })
      : await client.history.search({ ...filter, query: search, with_logs: true });
  if (input.options.json === true) {
    printJson(page, io);
    return 0;
  }
  if (page.tool_invocations.length === 0) io.error("haft: no invocations found\n");
  for (const one of page.tool_invocations) io.out(await show(one));
  return 0;
}

function readCallerFilter(input: CommandInput): InvocationFilter {
  const sources = optionTexts(input, "source") as NonNullable<
    InvocationFilter["invocation_source_type"]
  >;
  const filter = {
    api_key: optionTexts(input, "key"),
    user_id: optionTexts(input, "user"),
    client: optionTexts(input, "client"),
    invocation_source_type: sources,
  };
  return Object.fromEntries(Object.entries(filter).filter(([, values]) => values.length > 0));
}

/** Shows one invocation with everything that is kept of its output. */
async function showInvocation(
  id: string,
  client: PlatformClient,
  { input, io }: { readonly input: CommandInput; readonly io: Io },
): Promise<number> {
  const isJson = input.options.json === true;
  let logs = await client.history.logs(id, io.signal);
  const printer = createPrinter(io);
  while (input.options.follow === true && logs.is_running && !io.signal.aborted) {
    if (!isJson) printer.print(id, logs);
    await pause(pollMs, undefined, { signal: io.signal }).catch(() => undefined);
    if (!io.signal.aborted) logs = await client.history.logs(id, io.signal);
  }
  const invocation = logs.is_running ? undefined : await client.history.get(id, io.signal);
  if (isJson) {
    printJson({ ...logs, ...(invocation === undefined ? {} : { invocation }) }, io);
    return 0;
  }
  printer.print(id, logs);
  if (invocation === undefined) io.error(`haft: invocation ${id} is still running\n`);
  else io.out(await createShow(client, new Map(), io)(invocation));
  return 0;
}

/** Prints the output of running invocations, each part once. */
function createPrinter(io: Io): { print(id: string, logs: PrintedLogs, label?: string): void } {
  const printed = new Map<string, string>();
  return {
    print: (id, logs, label = "") => {
      for (const stream of ["stdout", "stderr"] as const) {
        const key = `${id} ${stream}`;
        const before = printed.get(key) ?? "";
        const { text } = logs[stream];
        // Once the middle is left out, the rest is shown when the invocation has ended.
        if (!text.startsWith(before) || text === before) continue;
        printed.set(key, text);
        io.out(showStream(`${label}${stream}`, text.slice(before.length), io.outputIsTerminal));
      }
    },
  };
}

/** Shows the last lines of both streams. */
function showLastLines(id: string, logs: PrintedLogs | undefined, io: Io): string {
  return (["stdout", "stderr"] as const)
    .map((stream) => {
      const text = logs?.[stream].text ?? "";
      if (text === "") return "";
      const lines = text.replace(/\n$/u, "").split("\n");
      const more = lines.length - maxListedLines;
      const hint =
        more > 0 ? `    ${stream} | … ${more} earlier lines: haft tool logs ${id}\n` : "";
      return (
        hint + showStream(stream, lines.slice(-maxListedLines).join("\n"), io.outputIsTerminal)
      );
    })
    .join("");
}

async function follow(
  what: {
    readonly client: PlatformClient;
    readonly filter: InvocationFilter;
    readonly limit: number;
    readonly show: (one: Invocation) => Promise<string>;
  },
  input: CommandInput,
  io: Io,
): Promise<void> {
  const isJson = input.options.json === true;
  const printer = createPrinter(io);
  let seen = new Set<string>();
  for (let limit = what.limit; !io.signal.aborted; limit = maxConcurrent) {
    const { tool_id: tools = [], ...others } = what.filter;
    // What runs now can be filtered by tool only.
    if (!isJson && Object.keys(others).length === 0) {
      const { running_invocations } = await what.client.history.running({ tool_id: tools });
      for (const { id, logs } of running_invocations) printer.print(id, logs, `${id} `);
    }
    const page = await what.client.history.list({ ...what.filter, limit, with_logs: true });
    // The platform lists the newest first; print the oldest first.
    for (const one of page.tool_invocations.toReversed()) {
      if (seen.has(one.id)) continue;
      if (isJson) io.out(`${JSON.stringify(one)}\n`);
      else io.out(await what.show(one));
    }
    const ids = page.tool_invocations.map(({ id }) => id);
    seen = new Set([...ids, ...[...seen].slice(0, maxConcurrent)]);
    await pause(pollMs, undefined, { signal: io.signal }).catch(() => undefined);
  }
}

function createShow(
  client: PlatformClient,
  names: Map<string, string>,
  io: Io,
): (one: Invocation) => Promise<string> {
  return async (one) => {
    if (!names.has(one.tool_id)) {
      const [found] = (await client.tools.list({ id: [one.tool_id] })).tools;
      names.set(one.tool_id, found?.name ?? one.tool_id);
    }
    const { invocation_status: status } = one;
    const head = [
      showTime(one.created_at),
      status.succeeded ? "ok    " : "failed",
      `${names.get(one.tool_id)} ${showVersion(one.tool_version)}`,
      `${one.duration_ms} ms`,
      one.id,
    ].join("  ");
    const { api_key_id, api_key_name, client: program } = one.caller ?? {};
    const by = [
      api_key_id === undefined ? "" : `key ${api_key_name ?? api_key_id}`,
      program ?? "",
      one.invocation_source.type === "direct" ? "" : one.invocation_source.type,
    ].filter((text) => text !== "");
    const text = status.succeeded
      ? status.output
      : `${status.exception_type}: ${status.exception_message}`;
    const body = io.outputIsTerminal ? toVisibleText(text) : text;
    const result = body === "" ? "" : `${body.replace(/^/gmu, "    ")}\n`;
    const caller = by.length === 0 ? "" : `    ${toVisibleLine(by.join(", "))}\n`;
    return `${toVisibleLine(head)}\n${caller}${result}${showLastLines(one.id, one.logs, io)}`;
  };
}
