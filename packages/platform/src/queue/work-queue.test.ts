import { spawn } from "node:child_process";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { isMissing } from "../../../../scripts/setup/system-packages.mjs";
import { newId } from "../new-id.ts";
import { defaultSettings } from "../platform-settings.ts";
import { Problem } from "../problem.ts";
import type { Runner } from "../runner/runner.ts";
import { openStore } from "../store/open-store.ts";
import { plainBox } from "../test-support/plain-box.ts";
import { newDatabase } from "../test-support/postgres.ts";
import type { ArtifactStore } from "../versions/resolved-version.ts";
import {
  openWorkQueue,
  prepareQueue,
  type QueueOptions,
  type WorkQueue,
} from "./open-work-queue.ts";
import { createBuildHandler, createRemoteBuilder } from "./remote-builder.ts";
import { createRemoteRunner, createRunHandler } from "./remote-runner.ts";
import type { QueueParts } from "./remote-work.ts";
import { startWorker, type Worker, type WorkHandler } from "./start-worker.ts";
import { createWorkerWatch } from "./worker-watch.ts";

let url: string;

async function openParts(): Promise<QueueParts> {
  const store = await openStore({ kind: "postgres", url });
  onTestFinished(() => store.close());
  await prepareQueue(store);
  return { store, secrets: plainBox, processId: newId(), now: Date.now };
}

async function openQueue(options: Partial<QueueOptions> = {}): Promise<WorkQueue> {
  const queue = await openWorkQueue(await openParts(), { isAlive: async () => true, ...options });
  onTestFinished(() => queue.close());
  return queue;
}

async function startHandling(handlers: Record<string, WorkHandler>): Promise<Worker> {
  const worker = await startWorker(await openParts(), handlers, { concurrency: 4 });
  let isDrained = false;
  onTestFinished(async () => {
    if (!isDrained) await worker.drain();
  });
  return {
    drain: async () => {
      isDrained = true;
      await worker.drain();
    },
  };
}

describe.skipIf(isMissing("pg_ctlcluster"))("the queue between processes", () => {
  beforeAll(async () => {
    url = await newDatabase();
  }, 60_000);

  it("sends work to a worker and receives its events", async () => {
    const queue = await openQueue();
    await startHandling({
      add: async ({ a, b }: { a: number; b: number }, { tell }) => {
        tell("adding");
        return a + b;
      },
    });
    const heard: unknown[] = [];
    const sum = await queue.ask({
      kind: "add",
      request: { a: 1, b: 2 },
      onEvent: (event) => heard.push(event),
    });
    expect(sum).toBe(3);
    expect(heard).toEqual(["adding"]);
  });

  it("returns the worker's errors", async () => {
    const queue = await openQueue();
    await startHandling({
      refuse: async () => {
        throw new Problem(400, "Not like this.");
      },
      break: async () => {
        throw new Error("postgres://user:password@host");
      },
    });
    await expect(queue.ask({ kind: "refuse", request: {} })).rejects.toMatchObject({
      status: 400,
      message: "Not like this.",
    });
    await expect(queue.ask({ kind: "break", request: {} })).rejects.toMatchObject({
      status: 500,
      message: "The worker failed unexpectedly. See its log.",
    });
  });

  it("survives that the database fails when a job has ended", async () => {
    const queue = await openQueue();
    const parts = await openParts();
    const { pool } = parts.store;
    if (pool === undefined) throw new Error("PostgreSQL has a pool.");
    const connect = pool.connect.bind(pool);
    const failed = Promise.withResolvers<void>();
    const { query } = pool;
    // Telling the requester is the last query before the job is removed.
    pool.query = (async (...args: Parameters<typeof query>) => {
      const told: unknown = await Reflect.apply(query, pool, args);
      pool.connect = (async () => {
        pool.connect = connect;
        failed.resolve();
        throw new Error("timeout exceeded when trying to connect");
      }) as typeof connect;
      return told;
    }) as unknown as typeof query;
    const worker = await startWorker(parts, { add: async () => 1 }, { concurrency: 1 });
    onTestFinished(() => worker.drain());
    expect(await queue.ask({ kind: "add", request: {} })).toBe(1);
    await failed.promise;
    expect(await queue.ask({ kind: "add", request: {} })).toBe(1);
  });

  it("does many things at once on several workers, each once", async () => {
    const done: number[] = [];
    const handler = async ({ n }: { n: number }): Promise<number> => {
      done.push(n);
      return n;
    };
    const queue = await openQueue();
    await startHandling({ count: handler });
    await startHandling({ count: handler });
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const results = await Promise.all(
      numbers.map((n) => queue.ask({ kind: "count", request: { n } })),
    );
    expect(results).toEqual(numbers);
    expect(done.toSorted((a, b) => a - b)).toEqual(numbers);
  });

  it("lets a worker that drains finish what it began", async () => {
    const queue = await openQueue();
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const worker = await startHandling({
      slow: async () => {
        begun.resolve();
        await goOn.promise;
        return "done";
      },
    });
    const asked = queue.ask({ kind: "slow", request: {} });
    await begun.promise;
    const drained = worker.drain();
    goOn.resolve();
    expect(await asked).toBe("done");
    await drained;
  });

  it("tells a worker that its work was cancelled", async () => {
    const queue = await openQueue();
    const controller = new AbortController();
    await startHandling({
      wait: async (_: unknown, { tell, signal }) => {
        tell("begun");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return "stopped";
      },
    });
    const result = await queue.ask({
      kind: "wait",
      request: {},
      onEvent: () => controller.abort(),
      signal: controller.signal,
    });
    expect(result).toBe("stopped");
  });

  it("fails the work of a killed worker and does not repeat it", async () => {
    const dead = new Set<string>();
    const queue = await openQueue({ isAlive: async (id) => !dead.has(id), lookEveryMs: 50 });
    const here = (name: string): string => JSON.stringify(import.meta.resolve(name));
    const processId = newId();
    const source = `
      import { openStore } from ${here("../store/open-store.ts")};
      import { plainBox } from ${here("../test-support/plain-box.ts")};
      import { startWorker } from ${here("./start-worker.ts")};
      const store = await openStore({ kind: "postgres", url: ${JSON.stringify(url)} });
      const parts = { store, secrets: plainBox, processId: "${processId}", now: Date.now };
      const hang = (_, { tell }) => { tell("begun"); return new Promise(() => {}); };
      await startWorker(parts, { hang }, { concurrency: 1 });`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const asked = queue.ask({
      kind: "hang",
      request: {},
      onEvent: () => {
        child.kill("SIGKILL");
        dead.add(processId);
      },
    });
    await expect(asked).rejects.toMatchObject({
      status: 503,
      message: "The worker died before it finished. Try again.",
    });
    const ran: string[] = [];
    await startHandling({
      hang: async () => {
        ran.push("again");
      },
      ping: async () => "pong",
    });
    expect(await queue.ask({ kind: "ping", request: {} })).toBe("pong");
    expect(ran).toEqual([]);
  });

  it("reports at once that a worker has a different master key", async () => {
    const queue = await openQueue();
    const parts = await openParts();
    const secrets = {
      ...plainBox,
      open: () => {
        throw new Error("sealed with another key");
      },
    };
    const ran: string[] = [];
    const handlers = { any: async () => ran.push("ran") };
    const worker = await startWorker({ ...parts, secrets }, handlers, { concurrency: 1 });
    onTestFinished(() => worker.drain());
    await expect(queue.ask({ kind: "any", request: {} })).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("same HAFT_MASTER_KEY"),
    });
    expect(ran).toEqual([]);
  });

  it("waits by the monotonic clock and ignores invalid notifications", async () => {
    const parts = await openParts();
    let jump = 0;
    const queue = await openWorkQueue(
      { ...parts, now: () => Date.now() + jump },
      { isAlive: async () => true, patienceMs: 30_000, lookEveryMs: 20 },
    );
    onTestFinished(() => queue.close());
    const asked = queue.ask({ kind: "late", request: {} });
    for (const hours of [10, -10]) {
      jump = hours * 3_600_000;
      for (const text of ["", "{", "null", "7", '{"id":7}']) {
        await parts.store.pool?.query("select pg_notify($1, $2)", [
          ...[`haft_${parts.processId}`, text],
        ]);
      }
    }
    await startHandling({ late: async () => "done" });
    expect(await asked).toBe("done");
  });

  it("says that all workers are busy", async () => {
    const queue = await openQueue({ patienceMs: 10, lookEveryMs: 20 });
    await expect(queue.ask({ kind: "anything", request: {} })).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("busy"),
    });
  });

  it("says that there is no worker, without waiting", async () => {
    const parts = await openParts();
    const { require: requireWorkers } = createWorkerWatch(parts);
    const queue = await openQueue({ requireWorkers, patienceMs: 600_000, lookEveryMs: 20 });
    await expect(queue.ask({ kind: "anything", request: {} })).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining("--role worker"),
    });
  });

  it("runs tools and builds projects elsewhere", async () => {
    const kept = new Map<string, Uint8Array>();
    const artifacts: ArtifactStore = {
      put: async (digest, content) => void kept.set(digest, content),
      get: async (digest) => {
        const content = kept.get(digest);
        if (content === undefined) throw new Error("none");
        return content;
      },
    };
    const local: Runner = {
      run: async (program, run) => {
        run.onStatus?.({ step: 1 });
        const code = Buffer.from(await program.load()).toString();
        const output = `${code} ${JSON.stringify(run.input)} ${run.sensitiveUserVariables.pin}`;
        return { succeeded: true, output, durationMs: 1 };
      },
      stats: () => ({ workers: 1, blank: 0, busy: 0, waiting: 0 }),
      close: async () => undefined,
    };
    const queue = await openQueue();
    await startHandling({
      run: createRunHandler(local, artifacts, {
        ...(await openParts()),
        settings: defaultSettings,
      }),
      build: createBuildHandler({
        build: async (project, { onProgress, onLog }) => {
          onProgress({ state: "building", message: "Building." });
          onLog("a line");
          const artifact = project.get("tool.json") as Uint8Array;
          return { manifest: {}, artifact, digest: "d", lockfileDigest: null, log: "" } as never;
        },
        close: async () => undefined,
      }),
    });
    const statuses: unknown[] = [];
    const result = await createRemoteRunner(queue, artifacts).run(
      {
        organization: "o",
        name: "greeter",
        toolId: "t",
        version: "1.0.0",
        runtime: "node",
        digest: "abc",
        load: async () => Buffer.from("code"),
        allowedHosts: [],
        simulationHosts: [],
        timeoutMs: 1_000,
        memoryMb: 64,
      },
      {
        invocationId: "i",
        mode: "regular",
        input: { x: 1 },
        config: {},
        conversation: null,
        userVariables: {},
        sensitiveUserVariables: { pin: "1234" },
        onStatus: (event) => statuses.push(event),
      },
    );
    expect(result).toMatchObject({ succeeded: true, output: 'code {"x":1} 1234' });
    expect(statuses).toEqual([{ step: 1 }]);

    const heard: unknown[] = [];
    const built = await createRemoteBuilder(queue).build(
      new Map([["tool.json", Buffer.from("{}")]]),
      {
        organization: "o",
        onProgress: (progress) => heard.push(progress.message),
        onLog: (line) => heard.push(line),
      },
    );
    expect(Buffer.from(built.artifact).toString()).toBe("{}");
    expect(heard).toEqual(["Building.", "a line"]);
  });
});
