import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { Launch } from "./launch.ts";
import type { BrokerReply, BrokerRequest, LaunchOrder, RunPipes } from "./messages.ts";
import { createPipePool } from "./pipe-pool.ts";
import { readLines } from "./read-lines.ts";
import { startPlan } from "./start-plan.ts";

// All runs have ended by then.
const patienceMs = 3_000;

/**
 * Starts processes for the client at the other end of the standard streams, until that closes them.
 * Then everything that was started ends.
 */
export function serveBroker(): void {
  const launches = new Map<number, Launch>();
  let isEnding = false;
  const send = (reply: BrokerReply): void => {
    if (!isEnding) process.stdout.write(`${JSON.stringify(reply)}\n`);
  };
  const pool = createPipePool((made) => send({ type: "pipes", directory: pool.directory, made }));

  const start = (order: LaunchOrder): void => {
    const { run, plan, marker } = order;
    const pipes = locatePipes(order.pipes, pool.directory);
    pool.noteUse(countPipes(order.pipes));
    const refuse = (error: Error): void => send({ type: "refused", run, reason: error.message });
    let child: ChildProcess;
    try {
      child = startPlan(plan, pipes, marker).once("error", refuse);
    } catch (error) {
      refuse(error as Error);
      return;
    }
    if (!isStarted(child)) return;
    const launch = new Launch(
      child,
      { ...order, pipes },
      {
        onContained: (pid) => send({ type: "contained", run, pid }),
        onEnded: (end) => {
          launches.delete(run);
          send({ type: "ended", run, ...end });
          if (isEnding && launches.size === 0) leave();
        },
      },
    );
    launches.set(run, launch);
    send({ type: "started", run, pid: child.pid });
  };

  const leave = (): void => {
    pool.remove();
    process.exit();
  };

  const end = (): void => {
    if (isEnding) return;
    isEnding = true;
    for (const launch of launches.values()) launch.kill();
    if (launches.size === 0) leave();
    else setTimeout(leave, patienceMs);
  };

  readLines<BrokerRequest>(process.stdin, (request) => {
    switch (request.type) {
      case "start":
        start(request);
        break;
      case "kill":
        launches.get(request.run)?.kill();
        break;
      case "look": {
        const view = launches.get(request.run)?.look() ?? nothing;
        send({ type: "looked", question: request.question, view });
      }
    }
  });
  process.stdin.on("end", end).on("error", end);
  process.stdout.on("error", end);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);
}

const nothing = { processes: [], cpuTicks: 0, waitsForTerminal: false } as const;

function isStarted(child: ChildProcess): child is ChildProcess & { readonly pid: number } {
  return child.pid !== undefined;
}

function locatePipes({ output, errors, input }: RunPipes, directory: string): RunPipes {
  return {
    output: join(directory, output),
    ...(errors !== undefined && { errors: join(directory, errors) }),
    ...(input !== undefined && { input: join(directory, input) }),
  };
}

// Pipes are taken in the order of their numbers.
function countPipes({ output, errors, input }: RunPipes): number {
  return 1 + Math.max(...[output, errors, input].filter((pipe) => pipe !== undefined).map(Number));
}
