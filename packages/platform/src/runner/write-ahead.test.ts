import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Job } from "./job.ts";
import type { RunJournal } from "./run-journal.ts";
import type { ToolRunResult } from "./runner.ts";
import { steadyNow } from "./steady-clock.ts";
import {
  makeRun,
  nodeTool,
  openTestRunner,
  outputOf,
  pythonTool,
} from "./test-support/open-runner.ts";
import { Worker } from "./worker.ts";
import type { WorkerMessage } from "./worker-messages.ts";
import type { WorkerEnd, WorkerProcess } from "./worker-process.ts";

describe("invocations that are written ahead", () => {
  const inJavaScript = nodeTool(
    `export async function runTool({ toolInput: { id, act }, sendStatusEvent }) {
      sendStatusEvent("begun " + id);
      if (act === "exit") process.exit(1);
      if (act === "kill") process.kill(process.pid, "SIGKILL");
      if (act === "busy") for (const end = Date.now() + 60; Date.now() < end; );
      if (act === "wait") await new Promise((r) => setTimeout(r, 60));
      return "done " + id;
    }`,
  );
  const inPython = pythonTool(`
import os, signal, time
def run_tool(tool_input, metadata, config, conversation, send_status_event, user_variables):
    id, act = tool_input["id"], tool_input["act"]
    send_status_event(f"begun {id}")
    if act == "exit":
        os._exit(1)
    if act == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if act in ("busy", "wait"):
        time.sleep(0.06)
    return f"done {id}"
`);

  it.each([
    ["JavaScript", inJavaScript, 3_000],
    ["Python", inPython, 600],
  ])(
    "run once each in %s, whatever happens to workers and however long some take",
    async (_, tool, total) => {
      const runner = openTestRunner({ blankWorkers: 2, maxWorkers: 6 });
      onTestFinished(() => runner.close(0));
      await runner.ready();
      const random = seeded(7);
      const begun = new Map<number, number>();
      const results = new Map<number, ToolRunResult>();
      let next = 0;
      const work = async (): Promise<void> => {
        while (next < total) {
          next += 1;
          const id = next;
          const dice = random();
          const act =
            dice < 0.003
              ? "exit"
              : dice < 0.006
                ? "kill"
                : dice < 0.01
                  ? "busy"
                  : dice < 0.014
                    ? "wait"
                    : "";
          const result = await runner.call(tool, {
            input: { id, act },
            onStatus: () => begun.set(id, (begun.get(id) ?? 0) + 1),
          });
          if (act === "exit" || act === "kill") {
            expect(result).toMatchObject({ succeeded: false, exceptionType: "WorkerDied" });
          } else expect(outputOf(result)).toBe(`done ${id}`);
          results.set(id, result);
        }
      };
      await Promise.all(Array.from({ length: 40 }, work));
      expect(results.size).toBe(total);
      expect([...begun.values()].filter((times) => times !== 1)).toEqual([]);
      expect(begun.size).toBe(total);
    },
  );
});

describe("a worker with several invocations", () => {
  it("has begun none but the first, when it dies", async () => {
    const { worker, jobs, die, returned } = openWorker(4);
    worker.hear({ kind: "result", number: 1, output: "one", ms: 0.1 });
    die();
    await worker.untilEnded();
    expect(jobs[0]?.result).toMatchObject({ output: "one" });
    expect(jobs[1]?.result).toMatchObject({ exceptionType: "WorkerDied" });
    expect(returned).toEqual([3, 4]);
  });

  it("gives back what its lease forbids, once, and the first never", () => {
    const { worker, jobs, returned } = openWorker(3);
    worker.takeBackExpired(steadyNow());
    expect(returned).toEqual([]);
    worker.takeBackExpired(steadyNow() + 1_000);
    expect(returned).toEqual([2, 3]);
    worker.hear({ kind: "returned", number: 2 });
    worker.hear({ kind: "returned", number: 3 });
    expect(returned).toEqual([2, 3]);
    worker.hear({ kind: "result", number: 1, output: "late", ms: 900 });
    expect(jobs[0]?.result).toMatchObject({ output: "late" });
  });

  it("keeps what was given back elsewhere before and is not written yet", () => {
    const { worker, returned, give } = openWorker(2);
    give({ lease: steadyNow() - 1_000 });
    worker.takeBackExpired(steadyNow());
    expect(returned).toEqual([]);
    expect(worker.jobs).toHaveLength(3);
  });

  it("gives back everything when the last one left something behind", () => {
    const { worker, returned } = openWorker(3);
    worker.hear({ kind: "result", number: 1, output: "one", ms: 0.1 });
    worker.hear({ kind: "unclean", reason: "processes" });
    expect(returned).toEqual([2, 3]);
    expect(worker.isRetired).toBe(true);
  });

  it.each([
    ["another's answer", { kind: "result", number: 2, output: "x", ms: 0 }],
    ["no text", { kind: "result", number: 1, output: 5, ms: 0 }],
    ["no failure", { kind: "failure", number: 1, failure: { type: 1 }, ms: 0 }],
    ["nothing at all", { kind: "failure", number: 1, ms: 0 }],
  ])("is ended if it gives %s", async (_, message) => {
    const { worker, jobs, die } = openWorker(2);
    worker.hear(message as never);
    expect(worker.isEnding).toBe(true);
    die();
    await worker.untilEnded();
    expect(jobs[0]?.result).toMatchObject({ exceptionType: "WorkerDied" });
  });
});

describe("a worker that reports steps", () => {
  const journal = (): RunJournal => ({
    ...{ entries: [], limits: { maxSteps: 2, maxResultCharacters: 10 }, attempt: 1 },
    begin: vi.fn(async () => {}),
    end: async (_position, result) => result,
  });
  const begin = { kind: "step-begin", name: "x", isRepeatable: false } as const;

  it.each<WorkerMessage>([
    { ...begin, number: 1, position: 2 },
    { kind: "suspended", number: 1, ms: 1, waits: [{ kind: "sleep", position: 2, ms: 1 }] },
  ])("is stopped if there are more than it may have: %j", async (message) => {
    const { worker, give, die } = openWorker(0);
    const own = journal();
    const job = give(undefined, { journal: own });
    worker.flush();
    worker.hear({ ...begin, number: 1, position: 1 });
    worker.hear(message);
    expect(worker.isEnding).toBe(true);
    die();
    await worker.untilEnded();
    expect(job.result).toMatchObject({
      exceptionType: "WorkerDied",
      exceptionMessage: expect.stringContaining("tampered"),
    });
    expect(own.begin).toHaveBeenCalledTimes(1);
  });
});

interface TestJob {
  result?: ToolRunResult;
}

/** A worker whose process is not there, with so many invocations in it. */
function openWorker(count: number): {
  worker: Worker;
  jobs: TestJob[];
  returned: number[];
  give(over?: Pick<Job, "lease">, run?: Parameters<typeof makeRun>[0]): TestJob;
  die(): void;
} {
  const { promise: ended, resolve } = Promise.withResolvers<WorkerEnd>();
  const process: WorkerProcess = { write: () => {}, stop: async () => {}, ended };
  const returned: number[] = [];
  const worker = new Worker(
    process,
    {
      onFinished: () => {},
      onReturned: (_, back) => returned.push(...back.map(({ number }) => number)),
      onUnwritten: () => {},
    },
    128,
  );
  const give: ReturnType<typeof openWorker>["give"] = (over, run) => {
    const test: TestJob = {};
    const program = nodeTool("return 1;");
    const job = new Job(
      { program, run: makeRun(run), queuedAt: steadyNow() },
      {
        onSettled: (result) => {
          test.result = result;
        },
        onPrint: undefined,
      },
    );
    worker.give(Object.assign(job, over));
    return test;
  };
  const jobs = Array.from({ length: count }, () => give());
  worker.flush();
  const die = (): void =>
    resolve({ exitCode: 1, signal: undefined, lastWords: "", wasGarbled: false });
  return { worker, jobs, returned, give, die };
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
