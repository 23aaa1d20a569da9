import type { Launched } from "../../broker/broker-connection.ts";
import { findConfiner, type ReadyRun } from "../confine-run.ts";
import { TailBytes } from "../tail-bytes.ts";
import type { JobOrder } from "./job-messages.ts";
import { type JobEnd, keptBytes, SupervisedJob } from "./supervised-job.ts";

/** Starts a command in the background; resolves when it runs. */
export async function startJob(id: string, order: JobOrder): Promise<SupervisedJob> {
  const { command, request, confinement } = order;
  const confiner = await findConfiner(confinement);
  const ready = await confiner.prepare(request);
  const printed = new TailBytes(keptBytes);
  let job: SupervisedJob | undefined;
  try {
    const launched = await confiner.broker.launch(ready.plan, {
      output: (bytes) => {
        printed.add(bytes);
        job?.wake();
        return undefined;
      },
    });
    await launched.started;
    launched.keepAlive(false);
    const end = follow(launched, ready, printed);
    // It works on the workspace itself.
    const { cwd } = request;
    job = new SupervisedJob({ id, command, cwd, launched, printed, reversible: false, end });
    return job;
  } catch (error) {
    await ready.settle();
    await ready.close();
    throw error;
  }
}

async function follow(launched: Launched, ready: ReadyRun, printed: TailBytes): Promise<JobEnd> {
  const end = await launched.ended.then(
    ({ exitCode, signal }): JobEnd => ({
      ...(exitCode !== undefined && { exitCode }),
      ...(signal !== undefined && { signal }),
    }),
    (error: Error): JobEnd => ({ reason: error.message }),
  );
  const notes = await ready.settle().catch((error: Error) => [error.message]);
  for (const note of notes) printed.add(Buffer.from(`\n[${note}]\n`));
  await ready.close();
  return end;
}
