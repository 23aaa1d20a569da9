import { type Job, ToolError } from "@haft/contract";
import type { JobBytes, JobOrder } from "./job-messages.ts";
import { JobNetwork } from "./job-network.ts";
import { startJob } from "./start-job.ts";
import type { SupervisedJob } from "./supervised-job.ts";

/** The background commands of a session. */
export interface JobBook {
  start(order: JobOrder): Promise<Job>;
  list(): Promise<readonly Job[]>;
  /** What a job printed from this byte on, as far as it is kept. */
  output(id: string, since: number): Promise<JobBytes>;
  stop(id: string): Promise<Job>;
  /** The network that jobs run in, for commands to join; `undefined` if none runs in one. */
  network(): Promise<number | undefined>;
  /** Ends all of them. */
  close(): Promise<void>;
}

/** How many jobs a session can have at a time. */
export const mostJobs = 16;

/** What a book begins with. */
export interface JobBookOptions {
  /** Jobs of earlier processes, all of them over. */
  readonly ended?: readonly Job[];
  /** Is told whenever the list has changed. */
  onChange?(jobs: readonly Job[]): void;
}

/** Keeps jobs in this process: with it they end. */
export function createJobBook({ ended = [], onChange }: JobBookOptions = {}): JobBook {
  const jobs = new Map<string, SupervisedJob>();
  const earlier = new Map(ended.map((job) => [job.id, job]));
  let lastNumber = Math.max(0, ...ended.map(({ id }) => Number(/\d+$/u.exec(id)?.[0] ?? 0)));
  let starting = 0;
  let isClosed = false;
  const network = new JobNetwork();

  const summarize = (): readonly Job[] => [
    ...earlier.values(),
    ...Array.from(jobs.values(), (job) => job.describe()),
  ];
  const tell = (): void => onChange?.(summarize());
  const find = (id: string): SupervisedJob => {
    const job = jobs.get(id);
    if (job !== undefined) return job;
    throw noJob(id, [...earlier.keys(), ...jobs.keys()]);
  };

  const countRunning = (): number =>
    starting + [...jobs.values()].filter(({ isRunning }) => isRunning).length;
  const start = async (order: JobOrder): Promise<SupervisedJob> => {
    const id = `job-${++lastNumber}`;
    return startJob(id, { ...order, request: await network.enter(order) });
  };

  return {
    start: async (order) => {
      if (isClosed) throw new ToolError("cancelled", "The session was closed.");
      if (countRunning() >= mostJobs) throw tooMany();
      forgetOldest(jobs);
      starting++;
      const job = await start(order).finally(() => {
        starting--;
      });
      jobs.set(job.id, job);
      void job.ended.then(() => {
        if (countRunning() === 0) network.leave();
        tell();
      });
      tell();
      // It may have been closed while the job was starting.
      if (isClosed) await job.stop();
      return job.look();
    },
    list: async () => [
      ...earlier.values(),
      ...(await Promise.all(Array.from(jobs.values(), (job) => job.look()))),
    ],
    output: async (id, since) => {
      const over = earlier.get(id);
      if (over !== undefined) return { job: over, base64: "", from: since };
      return find(id).output(since);
    },
    stop: async (id) => {
      const over = earlier.get(id);
      if (over !== undefined) return over;
      const job = find(id);
      await job.stop();
      return job.look();
    },
    network: () => network.find(),
    close: async () => {
      isClosed = true;
      await Promise.all(Array.from(jobs.values(), (job) => job.stop()));
      network.leave();
      jobs.clear();
      earlier.clear();
    },
  };
}

// What has ended can still be looked at, until there is more of it than anybody looks at.
function forgetOldest(jobs: Map<string, SupervisedJob>): void {
  const over = [...jobs.values()].filter(({ isRunning }) => !isRunning);
  for (const { id } of over.slice(0, Math.max(0, over.length - mostJobs + 1))) jobs.delete(id);
}

function tooMany(): ToolError {
  return new ToolError(
    "quota",
    `This session has ${mostJobs} jobs already, the most it can have. Stop one of them first.`,
  );
}

/** The answer for a job that is not there. */
export function noJob(id: string, known: readonly string[]): ToolError {
  const others = known.length === 0 ? "There are none." : `There are: ${known.join(", ")}.`;
  return new ToolError("not-found", `This session has no job ${JSON.stringify(id)}. ${others}`);
}
