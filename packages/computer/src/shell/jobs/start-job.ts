import { findConfiner } from "../confine-run.ts";
import { TailBytes } from "../tail-bytes.ts";
import type { JobOrder } from "./job-messages.ts";
import { SupervisedJob } from "./supervised-job.ts";

/** How much of what a job prints is kept. */
const keptBytes = 1024 * 1024;

/** Starts a command in the background, and comes back when it runs. */
export async function startJob(id: string, order: JobOrder): Promise<SupervisedJob> {
  const { command, request, confinement } = order;
  const confiner = await findConfiner(confinement);
  const ready = await confiner.prepare(request);
  const printed = new TailBytes(keptBytes);
  try {
    const launched = await confiner.broker.launch(ready.plan, {
      output: (bytes) => {
        printed.add(bytes);
        return undefined;
      },
    });
    await launched.started;
    launched.keepAlive(false);
    return new SupervisedJob({ id, command, cwd: request.cwd, launched, ready, printed });
  } catch (error) {
    await ready.settle();
    await ready.close();
    throw error;
  }
}
