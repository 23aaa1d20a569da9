import { toVisibleLine } from "@haft/core/internal";
import type { ShadowDifference, ShadowReport } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { openClient } from "../../environments/open-client.ts";
import {
  optionChoice,
  optionNumber,
  optionText,
  optionTexts,
} from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { requireTool } from "./require-tool.ts";
import { requireSince } from "./since.ts";

/** `haft tool shadow`: compares the results of a version with what was recorded. */
export async function shadowTool(input: CommandInput, io: Io): Promise<number> {
  const [name = ""] = input.positionals;
  const since = requireSince(input).toISOString();
  const limit = optionNumber(input, "limit");
  const against = optionChoice(input, "against", ["recorded", "latest"]);
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  const request = {
    candidate: optionText(input, "candidate") ?? "",
    since,
    ignore: optionTexts(input, "ignore"),
    ...(limit !== undefined && { limit }),
    ...(against !== undefined && { against }),
  };
  const { signal } = io;
  const isShown = input.options.json !== true && io.outputIsTerminal;
  const onProgress = ({ done, total }: { done: number; total: number }): void =>
    io.error(`\r${done}/${total}${done === total ? "\n" : ""}`);
  const report = await client.versions.shadow(
    tool.id,
    request,
    isShown ? { signal, onProgress } : { signal },
  );
  if (input.options.json === true) printJson(report, io);
  else show(report, io);
  return report.different === 0 ? 0 : 1;
}

function show(report: ShadowReport, io: Io): void {
  for (const difference of report.differences) io.out(describe(difference));
  for (const { invocation_id, reason } of report.skips) {
    io.out(`${toVisibleLine(`${invocation_id}  skipped  ${reason}`)}\n`);
  }
  const { compared, same, different, skipped } = report;
  io.out(`${compared} compared: ${same} the same, ${different} different; ${skipped} skipped\n`);
  if (compared + skipped === 0) io.error("haft: no invocations since then\n");
  if (report.has_more) io.error("haft: there are more invocations. Use --limit N\n");
}

function describe({ invocation_id, version, kind, changes }: ShadowDifference): string {
  const lines = changes.flatMap(({ path, before, after }) => [
    `    ${path === "" ? "" : `${path}: `}- ${before ?? "(nothing)"}`,
    `    ${path === "" ? "" : `${path}: `}+ ${after ?? "(nothing)"}`,
  ]);
  return [`${invocation_id}  ${kind}  recorded by ${version}`, ...lines]
    .map((line) => `${toVisibleLine(line)}\n`)
    .join("");
}
