import { toVisibleLine } from "@haft/core/internal";
import type { Retry, RetryRequest, RetryResults } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionNumber, optionText, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { isId, requireTool } from "./require-tool.ts";
import { requireSince } from "./since.ts";

/** `haft tool retry`: repeats invocations, by their IDs or all that failed lately. */
export async function retryInvocations(input: CommandInput, io: Io): Promise<number> {
  const isFailed = input.options.failed === true;
  const { positionals: words } = input;
  if (isFailed ? words.length > 1 : words.length === 0 || !words.every(isId)) {
    throw new UsageError(
      "Name the invocations by their IDs (haft tool logs shows them), or give --failed --since 2h, with at most one tool.",
    );
  }
  const since = isFailed ? requireSince(input).toISOString() : undefined;
  const client = openClient(input, io);
  const tool = isFailed && words[0] !== undefined ? await requireTool(words[0], client) : undefined;
  const version = optionText(input, "version");
  const limit = optionNumber(input, "limit");
  const request: RetryRequest = {
    ...(since === undefined ? { invocation_ids: words } : { since }),
    ...(tool !== undefined && { tool_id: [tool.id] }),
    ...(version !== undefined && { version }),
    ...(limit !== undefined && { limit }),
    set: readChanges(optionTexts(input, "set"), "--set"),
    dry_run: input.options["dry-run"] === true,
    allow_missing_context: input.options["without-context"] === true,
  };
  const isJson = input.options.json === true;
  let done = 0;
  const onRetry = (retry: Retry & { readonly total: number }): void => {
    done += 1;
    io.out(`${toVisibleLine(`${done}/${retry.total}  ${describe(retry)}`)}\n`);
  };
  const signal = io.signal;
  const results = await client.history.retry(request, isJson ? { signal } : { onRetry, signal });
  if (isJson) printJson(results, io);
  else finish(results, request, { done, io });
  return results.failed + results.skipped === 0 ? 0 : 1;
}

function describe({ invocation_id, retried_as, status, version, detail }: Retry): string {
  const to = retried_as === null ? "" : ` → ${retried_as}`;
  const ran = version === null ? "" : `  ${version}`;
  return `${status.padEnd(9)}  ${invocation_id}${to}${ran}${detail === null ? "" : `  ${detail}`}`;
}

function finish(
  { retries, succeeded, failed, skipped, has_more }: RetryResults,
  { dry_run: isDry }: RetryRequest,
  { done, io }: { readonly done: number; readonly io: Io },
): void {
  // Unknown invocations are not reported while it runs.
  for (const retry of retries.slice(0, retries.length - done)) {
    io.out(`${toVisibleLine(describe(retry))}\n`);
  }
  if (retries.length === 0) {
    io.error("haft: no failed invocations since then that were not repeated yet\n");
    return;
  }
  const ran = isDry
    ? `${retries.length - skipped} would run`
    : `${succeeded} succeeded, ${failed} failed`;
  io.error(`haft: ${ran}, ${skipped} skipped\n`);
  if (has_more) io.error("haft: there are more. Run it again, or use --limit N\n");
}

/** Reads changes of an input: `path=text`, or `path:=JSON`. */
function readChanges(words: readonly string[], option: string): NonNullable<RetryRequest["set"]> {
  return words.map((word) => {
    const [, path = "", colon, text = ""] = /^([^=]*?)(:?)=(.*)$/su.exec(word) ?? [];
    if (path === "") {
      throw new UsageError(`${option} takes PATH=TEXT or PATH:=JSON, such as order.id:=7.`);
    }
    if (colon !== ":") return { path, value: text };
    try {
      return { path, value: JSON.parse(text) };
    } catch (error) {
      throw new UsageError(
        `The value of ${option} ${path} is not valid JSON: ${(error as Error).message}. For text, write ${path}=TEXT.`,
      );
    }
  });
}
