import type { Job, JobOutput, Jobs } from "@haft/contract";
import { utf8Length } from "@haft/contract/internal";
import type { RunScope, Secrets } from "@haft/core";
import { countUnfinished, isContinuation } from "../utf8-bytes.ts";
import type { JobBytes, JobOrder } from "./job-messages.ts";
import type { JobTable } from "./job-table.ts";

/** What the jobs of a call need from its shell. */
export interface JobsContext {
  /** Checks and prepares a command. */
  order(command: string, cwd: string | undefined): Promise<JobOrder>;
  jobs(): JobTable;
}

/** The background jobs of a session, scoped to one call. */
export function openJobs(
  scope: Pick<RunScope, "secrets" | "signal" | "jobEnded" | "jobSeen">,
  { order, jobs: table }: JobsContext,
): Jobs {
  const { secrets } = scope;
  const show = (job: Job): Job => secrets.hideInData(job);
  /** The same where the model learns how the job ended. */
  const reveal = (job: Job): Job => {
    if (job.state === "ended") scope.jobSeen(job.id);
    return show(job);
  };
  return {
    start: async ({ command, cwd }) => {
      const ordered = await order(command, cwd);
      return show(await table().start(ordered, (job) => scope.jobEnded(job)));
    },
    list: async () => (await table().list()).map(show),
    output: async (id, since = 0, wait) => {
      const request = { since: Math.max(0, Math.floor(since)), wait };
      const { job, ...found } = await table().output(id, request, scope.signal);
      return {
        job: reveal(job),
        ...readOutput(found, { since, secrets, isOver: job.state === "ended" }),
      };
    },
    stop: async (id) => reveal(await table().stop(id)),
  };
}

interface Reading {
  readonly since: number;
  readonly secrets: Secrets;
  readonly isOver: boolean;
}

/** The output as text: whole characters only, without secrets. */
function readOutput(
  { base64, from }: Pick<JobBytes, "base64" | "from">,
  { since, secrets, isOver }: Reading,
): Omit<JobOutput, "job"> {
  const bytes = Buffer.from(base64, "base64");
  let start = 0;
  // What came before is no longer kept, or the request started in the middle of a character.
  while (start < 3 && isContinuation(bytes[start] ?? 0)) start++;
  const end = bytes.length - (isOver ? 0 : countUnfinished(bytes));
  const text = bytes.subarray(start, end).toString("utf8");
  const { shown, held } = hide(text, secrets, isOver);
  return {
    text: shown,
    omittedBytes: Math.max(0, from + start - since),
    next: from + end - held,
  };
}

/** What can be shown, and how many bytes at the end can't be yet, such as half of a secret. */
function hide(
  text: string,
  secrets: Secrets,
  isOver: boolean,
): { readonly shown: string; readonly held: number } {
  const filter = secrets.createFilter();
  const shown = filter.write(text);
  const rest = filter.end();
  const isHeld = !isOver && rest !== "" && text.endsWith(rest);
  return isHeld ? { shown, held: utf8Length(rest) } : { shown: shown + rest, held: 0 };
}
