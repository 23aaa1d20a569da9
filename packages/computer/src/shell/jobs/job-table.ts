import { type Job, ToolError } from "@haft/contract";
import { findConfiner, type RunRequest, type SharedNetwork } from "../confine-run.ts";
import type { JobBytes, JobOrder, OutputRequest } from "./job-messages.ts";
import { startJob } from "./start-job.ts";
import type { SupervisedJob } from "./supervised-job.ts";

/** The background jobs of a session. */
export interface JobTable {
  /** `onEnd` is called when the job has ended, unless another process keeps it. */
  start(order: JobOrder, onEnd?: (job: Job) => void): Promise<Job>;
  list(): Promise<readonly Job[]>;
  /** Output of a job, as far as it is kept. The signal ends the wait for it. */
  output(id: string, request: OutputRequest, signal?: AbortSignal): Promise<JobBytes>;
  stop(id: string): Promise<Job>;
  /** The network that jobs run in, for commands to join; `undefined` if none runs in one. */
  network(): Promise<number | undefined>;
  /** Ends all of them. */
  close(): Promise<void>;
}

/** Maximum number of jobs of a session at a time. */
export const maxJobs = 16;

/** Options of `createJobTable`. */
export interface JobTableOptions {
  /** Ended jobs of earlier processes. */
  readonly ended?: readonly Job[];
  /** Called whenever the list has changed. */
  onChange?(jobs: readonly Job[]): void;
}

/** Keeps jobs in this process: they end with it. */
export function createJobTable({ ended = [], onChange }: JobTableOptions = {}): JobTable {
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
    start: async (order, onEnd) => {
      if (isClosed) throw new ToolError("cancelled", "The session was closed.");
      if (countRunning() >= maxJobs) throw tooMany();
      forgetOldest(jobs);
      starting++;
      const job = await start(order).finally(() => {
        starting--;
      });
      jobs.set(job.id, job);
      void job.ended.then(() => {
        if (countRunning() === 0) network.leave();
        tell();
        onEnd?.(job.describe());
      });
      tell();
      // The session may have been closed while the job was starting.
      if (isClosed) await job.stop();
      return job.look();
    },
    list: async () => [
      ...earlier.values(),
      ...(await Promise.all(Array.from(jobs.values(), (job) => job.look()))),
    ],
    output: async (id, request, signal) => {
      const over = earlier.get(id);
      if (over !== undefined) return { job: over, base64: "", from: request.since };
      return find(id).output(request, signal);
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

/** Forgets the oldest jobs that have ended, so that there is room for one more. */
export function forgetOldest(jobs: Map<string, SupervisedJob>): void {
  const over = [...jobs.values()].filter(({ isRunning }) => !isRunning);
  for (const { id } of over.slice(0, Math.max(0, over.length - maxJobs + 1))) jobs.delete(id);
}

function tooMany(): ToolError {
  return new ToolError(
    "quota",
    `This session already has ${maxJobs} jobs, the maximum. Stop one of them first.`,
  );
}

/** The error for an unknown job. */
export function noJob(id: string, known: readonly string[]): ToolError {
  const others = known.length === 0 ? "There are none." : `There are: ${known.join(", ")}.`;
  return new ToolError("not-found", `This session has no job ${JSON.stringify(id)}. ${others}`);
}

/** The network that the jobs of a session share, and that commands join while there are jobs. */
class JobNetwork {
  #opening: Promise<SharedNetwork | undefined> | undefined;

  /** The process that holds it open; `undefined` if there is none. */
  async find(): Promise<number | undefined> {
    return (await this.#opening)?.process;
  }

  /** Puts a job's run into this network, which the first job opens. */
  async enter({ confinement, request }: JobOrder): Promise<RunRequest> {
    this.#opening ??= findConfiner(confinement).then(({ openNetwork }) => openNetwork?.());
    try {
      const network = await this.find();
      return network === undefined ? request : { ...request, network };
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  /** Closes it; the next job opens another. */
  leave(): void {
    this.#opening?.then((network) => network?.close()).catch(() => {});
    this.#opening = undefined;
  }
}
