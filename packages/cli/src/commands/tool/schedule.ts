import { toVisibleLine } from "@haft/core/internal";
import type {
  NewSchedule,
  PlatformClient,
  Schedule,
  ScheduleRun,
  ScheduleWithRuns,
} from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { isConfirmed } from "../../environments/confirm.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionChoice, optionText } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { toTable } from "../../terminal/table.ts";
import { UsageError } from "../../usage-error.ts";
import { readInputs } from "./read-inputs.ts";
import { requireTool } from "./require-tool.ts";
import { showTime } from "./show-time.ts";

const actions = ["list", "show", "pause", "resume", "run", "remove"] as const;

/** `haft tool schedule`: adds, lists, shows, pauses, resumes, runs and removes schedules. */
export async function changeSchedules(input: CommandInput, io: Io): Promise<number> {
  const [word = "list", ...words] = input.positionals;
  const action = actions.find((each) => each === word);
  if (action === undefined)
    return addSchedule(word === "add" ? words : [word, ...words], input, io);
  if (words.length > 1) {
    throw new UsageError(
      `haft tool schedule ${action} takes one argument, but got ${JSON.stringify(words[1])}.`,
    );
  }
  const [name] = words;
  const client = openClient(input, io);
  if (action === "list") return listSchedules(client, name, { input, io });
  if (name === undefined) {
    throw new UsageError(`haft tool schedule ${action} needs the ID or name of a schedule.`);
  }
  const { schedules } = client;
  const print = (value: unknown, text: string): number => {
    if (input.options.json === true) printJson(value, io);
    else io.out(text);
    return 0;
  };
  switch (action) {
    case "show": {
      const schedule = await schedules.get(name);
      return print(schedule, describe(schedule));
    }
    case "pause":
      return print(await schedules.pause(name), `Paused ${name}.\n`);
    case "resume": {
      const schedule = await schedules.resume(name);
      return print(schedule, `Resumed ${name}. ${describeNext(schedule)}\n`);
    }
    case "run": {
      const run = await schedules.run(name);
      return print(run, describeStarted(run));
    }
    default: {
      if (!(await isConfirmed(`Remove the schedule ${JSON.stringify(name)}?`, input, io))) {
        io.error("haft: nothing was removed\n");
        return 1;
      }
      await schedules.delete(name);
      return print({ name, removed: true }, `Removed ${name}.\n`);
    }
  }
}

async function addSchedule(
  [name, cron, ...words]: readonly string[],
  input: CommandInput,
  io: Io,
): Promise<number> {
  if (name === undefined || cron === undefined) {
    throw new UsageError(
      `To add a schedule: haft tool schedule ${name ?? "NAME"} '0 6 * * *' [INPUT]. To see schedules: haft tool schedule list.`,
    );
  }
  if (!/^\s*@|\s/u.test(cron)) {
    throw new UsageError(
      `${JSON.stringify(cron)} is not a cron expression. Write its five fields in quotes, such as '0 6 * * *', or a name such as @daily.`,
    );
  }
  const [given, ...others] = await readInputs(words, input, io);
  if (others.length > 0) throw new UsageError("A schedule has one input, not several.");
  const client = openClient(input, io);
  const tool = await requireTool(name, client);
  const version = optionText(input, "version");
  const time_zone = optionText(input, "time-zone");
  const own = optionText(input, "name");
  const schedule = await client.schedules.create(tool.id, {
    cron,
    input: (given?.input_parameters ?? {}) as NonNullable<NewSchedule["input"]>,
    ...(version === undefined ? {} : { version }),
    ...(time_zone === undefined ? {} : { time_zone }),
    ...(own === undefined ? {} : { name: own }),
    missed: optionChoice(input, "missed", ["run", "skip"]) ?? "run",
    overlap: optionChoice(input, "overlap", ["skip", "queue"]) ?? "skip",
    paused: input.options.paused === true,
  });
  if (input.options.json === true) printJson(schedule, io);
  else
    io.out(`${toVisibleLine(`Added the schedule ${schedule.name}. ${describeNext(schedule)}`)}\n`);
  return 0;
}

async function listSchedules(
  client: PlatformClient,
  toolName: string | undefined,
  { input, io }: { readonly input: CommandInput; readonly io: Io },
): Promise<number> {
  const tool = toolName === undefined ? undefined : await requireTool(toolName, client);
  const found = await client.schedules.list(tool === undefined ? {} : { tool_id: [tool.id] });
  if (input.options.json === true) printJson(found, io);
  else if (found.schedules.length === 0) io.error("haft: no schedules\n");
  else {
    const rows = found.schedules.map((each) => [
      ...[each.name, each.tool_name, each.version, each.cron, each.time_zone],
      each.next_time === null ? "paused" : showTime(each.next_time),
    ]);
    io.out(toTable([["NAME", "TOOL", "VERSION", "CRON", "ZONE", "NEXT (UTC)"], ...rows]));
  }
  return 0;
}

function describe(schedule: ScheduleWithRuns): string {
  const rows: readonly (readonly [string, string])[] = [
    ["ID", schedule.id],
    ["Tool", `${schedule.tool_name} ${schedule.version}`],
    ["Cron", `${schedule.cron} (${schedule.time_zone})`],
    ["Input", JSON.stringify(schedule.input)],
    ["Missed", schedule.missed === "run" ? "run once" : "skip"],
    ["Overlap", schedule.overlap],
    ["Runs as", `user ${schedule.user_id}, key ${schedule.api_key_id}`],
    ["State", describeNext(schedule)],
  ];
  const lines = rows.map(([label, value]) => `  ${label.padEnd(8)} ${toVisibleLine(value)}\n`);
  const runs = schedule.runs.map((run) => [
    showTime(run.time ?? run.created_at),
    run.time === null ? `${describeState(run)} by hand` : describeState(run),
    run.invocation_id ?? "-",
    [run.missed === 0 ? "" : `${run.missed} missed.`, run.detail ?? ""].join(" ").trim(),
  ]);
  const table =
    runs.length === 0
      ? ""
      : `\n${toTable([["TIME (UTC)", "STATE", "INVOCATION", "DETAIL"], ...runs])}`;
  return `${toVisibleLine(schedule.name)}\n${lines.join("")}${table}`;
}

function describeState({ state, succeeded }: ScheduleRun): string {
  if (succeeded === null) return state;
  return succeeded ? "ok" : "failed";
}

function describeNext({ next_time, pause_reason }: Schedule): string {
  if (next_time !== null) return `Next run: ${showTime(next_time)} UTC.`;
  return pause_reason === null ? "It is paused." : `It is paused: ${pause_reason}`;
}

function describeStarted({ state, invocation_id, detail }: ScheduleRun): string {
  return state === "started"
    ? `Started invocation ${invocation_id}. To wait for it: haft tool wait ${invocation_id}\n`
    : `${toVisibleLine(`Queued. ${detail}`)}\n`;
}
