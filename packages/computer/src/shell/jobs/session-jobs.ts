import { forgetOldest, type JobTable, maxJobs } from "./job-table.ts";
import type { SupervisedJob } from "./supervised-job.ts";

/** The jobs of a session, with the commands of this process that went on past their time limit. */
export interface SessionJobs extends JobTable {
  /** Takes over a command that has reached its time limit. `false` if there are too many of them. */
  adopt(command: SupervisedJob): boolean;
}

/** Adds the commands of this process to the jobs of a session, which another process may keep. */
export function createSessionJobs(jobs: JobTable): SessionJobs {
  const commands = new Map<string, SupervisedJob>();
  return {
    ...jobs,
    adopt: (command) => {
      const running = [...commands.values()].filter(({ isRunning }) => isRunning);
      if (running.length >= maxJobs) return false;
      forgetOldest(commands);
      commands.set(command.id, command);
      return true;
    },
    list: async () => {
      const all = [jobs.list(), ...Array.from(commands.values(), (command) => command.look())];
      return (await Promise.all(all)).flat().sort((a, b) => a.startedAt - b.startedAt);
    },
    output: (id, request, signal) =>
      commands.get(id)?.output(request, signal) ?? jobs.output(id, request, signal),
    stop: async (id) => {
      const command = commands.get(id);
      if (command === undefined) return jobs.stop(id);
      await command.stop();
      return command.look();
    },
    close: async () => {
      await Promise.all(Array.from(commands.values(), (command) => command.stop()));
      commands.clear();
      await jobs.close();
    },
  };
}
