import type { Subcommand } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";

/** `haft tool schedule` */
export const toolSchedule: Subcommand = {
  summary: "Run a tool at the times of a cron expression",
  details: `
haft tool schedule NAME CRON [INPUT]      adds a schedule for the tool NAME
haft tool schedule list [NAME]            lists schedules, of one tool or all
haft tool schedule show SCHEDULE          shows a schedule and its last runs
haft tool schedule pause|resume SCHEDULE  stops and continues it
haft tool schedule run SCHEDULE           runs it now, besides its times
haft tool schedule remove SCHEDULE        removes it

CRON has five fields: minute, hour, day of the month, month, day of the week. It takes names
(MON-FRI, JAN), ranges, lists and steps (*/15), or is @hourly, @daily, @weekly, @monthly or @yearly.
INPUT is as in \`haft tool invoke\`. Each run is an asynchronous invocation with the permissions that
the key of the schedule has then. For a tool that is called like an action, write add before NAME.`,
  arguments: [
    {
      name: "ACTION",
      description: "Name of the tool, or an action. Default: list",
      optional: true,
      suggestions: ["list", "show", "pause", "resume", "run", "remove", "add"],
    },
    {
      name: "ARGUMENT",
      description: "CRON and INPUT, or ID or name of the schedule",
      optional: true,
      repeats: true,
    },
  ],
  options: {
    version: {
      value: "VERSION",
      description: "1.2.3, latest, or a range such as '>=1,<2', chosen at each run",
      default: "latest",
    },
    "time-zone": {
      value: "ZONE",
      description: "Time zone of CRON, such as Europe/Berlin",
      default: "UTC",
    },
    missed: {
      value: "POLICY",
      description: "Times at which no server ran: run once for all of them, or skip them",
      choices: ["run", "skip"],
      default: "run",
    },
    overlap: {
      value: "POLICY",
      description: "A time at which the previous run has not ended: skip it, or queue it",
      choices: ["skip", "queue"],
      default: "skip",
    },
    name: { value: "NAME", description: "Name of the schedule", default: "the name of the tool" },
    paused: { description: "Do not start it yet" },
    yes: { description: "With remove: do not ask" },
  },
  groups: [platformOptions],
  examples: [
    `haft tool schedule word_count '0 6 * * MON-FRI' '{"text": "one two"}' --time-zone Europe/Berlin`,
    "haft tool schedule show word_count",
    "haft tool schedule pause word_count",
  ],
  load: onPlatform(async () => (await import("../commands/tool/schedule.ts")).changeSchedules),
};
