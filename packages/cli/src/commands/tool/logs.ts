import { setTimeout as pause } from "node:timers/promises";
import { toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { Invocation, InvocationFilter, PlatformClient } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionNumber, optionText } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { requireTool } from "./require-tool.ts";
import { showTime, showVersion } from "./show-time.ts";

const defaultLimit = 20;
const maxConcurrent = 100;
const pollMs = 1000;

/** `haft tool logs`: invocations and their results. */
export async function showLogs(input: CommandInput, io: Io): Promise<number> {
  const [name] = input.positionals;
  const search = optionText(input, "search");
  const isFollowing = input.options.follow === true;
  if (search !== undefined && isFollowing) {
    throw new UsageError(
      "--search shows past invocations and --follow new ones. Use only one of them.",
    );
  }
  const client = openClient(input, io);
  const tool = name === undefined ? undefined : await requireTool(name, client);
  const filter: InvocationFilter = {
    ...(tool === undefined ? {} : { tool_id: [tool.id] }),
    ...(input.options.failed === true ? { succeeded: false } : {}),
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
      ? await client.history.list({ ...filter, limit })
      : await client.history.search({ ...filter, query: search });
  if (input.options.json === true) {
    printJson(page, io);
    return 0;
  }
  if (page.tool_invocations.length === 0) io.error("haft: no invocations found\n");
  for (const one of page.tool_invocations) io.out(await show(one));
  return 0;
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
  let seen = new Set<string>();
  for (let limit = what.limit; !io.signal.aborted; limit = maxConcurrent) {
    const page = await what.client.history.list({ ...what.filter, limit });
    // The platform lists the newest first; print the oldest first.
    for (const one of page.tool_invocations.toReversed()) {
      if (seen.has(one.id)) continue;
      if (input.options.json === true) io.out(`${JSON.stringify(one)}\n`);
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
    const text = status.succeeded
      ? status.output
      : `${status.exception_type}: ${status.exception_message}`;
    const body = io.outputIsTerminal ? toVisibleText(text) : text;
    return `${toVisibleLine(head)}\n${body === "" ? "" : `${body.replace(/^/gmu, "    ")}\n`}`;
  };
}
