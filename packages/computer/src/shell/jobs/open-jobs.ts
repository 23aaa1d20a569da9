import { type Job, type JobOutput, type Jobs, utf8Length } from "@haft/contract";
import type { RunScope, Secrets } from "@haft/core";
import { countUnfinished, isContinuation } from "../utf8-bytes.ts";
import type { JobBook } from "./job-book.ts";
import type { JobBytes, JobOrder } from "./job-messages.ts";

/** What the jobs of a call need of its shell. */
export interface JobsPlace {
  /** Judges a command and makes it ready. */
  order(command: string, cwd: string | undefined): Promise<JobOrder>;
  book(): JobBook;
}

/** The background commands of a session, scoped to one call. */
export function openJobs({ secrets }: Pick<RunScope, "secrets">, { order, book }: JobsPlace): Jobs {
  const show = (job: Job): Job => secrets.hideInData(job);
  return {
    start: async ({ command, cwd }) => show(await book().start(await order(command, cwd))),
    list: async () => (await book().list()).map(show),
    output: async (id, since = 0) => {
      const { job, ...found } = await book().output(id, Math.max(0, Math.floor(since)));
      return {
        job: show(job),
        ...readOutput(found, { since, secrets, isOver: job.state === "ended" }),
      };
    },
    stop: async (id) => show(await book().stop(id)),
  };
}

interface Reading {
  readonly since: number;
  readonly secrets: Secrets;
  readonly isOver: boolean;
}

/** The text of what was printed, whole characters only, and without secrets. */
function readOutput(
  { base64, from }: Pick<JobBytes, "base64" | "from">,
  { since, secrets, isOver }: Reading,
): Omit<JobOutput, "job"> {
  const bytes = Buffer.from(base64, "base64");
  let start = 0;
  // What came before is no longer kept, or was asked for in the middle of a character.
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

/** What can be shown, and how many bytes at the end can't be yet: half of a secret, for one. */
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
