import { createMemoryComputer } from "@haft/computer/memory";
import type { Job, JobOutput, Runtime } from "@haft/contract";
import { createTestRuntime, describeToolContract } from "@haft/contract/testing";
import { describe, expect, it } from "vitest";
import { type CommandRuntime, openCommands } from "../test-support/open-commands.ts";
import { jobList } from "./job-list.ts";
import { jobOutput } from "./job-output.ts";
import { jobStart } from "./job-start.ts";
import { jobStop } from "./job-stop.ts";

const open = (): Promise<CommandRuntime> => openCommands(jobStart, { files: { "src/a": "" } });

/** Looks at a job until it has printed something. */
async function waitFor(text: string, job_id: string, runtime: Runtime): Promise<void> {
  for (;;) {
    const { output, state } = await jobOutput.execute({ job_id }, runtime);
    if (output.includes(text)) return;
    if (state === "ended") throw new Error(`It ended without ${text}: ${output}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe("jobs", () => {
  it("continue in the background until they are stopped", async () => {
    const runtime = await open();
    const started = await jobStart.execute({ command: "echo up; sleep 600" }, runtime);
    expect(started).toMatchObject({
      state: "running",
      command: "echo up; sleep 600",
      cwd: runtime.root,
      pid: expect.any(Number),
      ports: [],
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
    });
    const { job_id } = started;
    await waitFor("up", job_id, runtime);
    expect(await jobStop.execute({ job_id }, runtime)).toMatchObject({
      job_id,
      state: "ended",
      message: `Stopped ${job_id}.`,
    });
    expect(await jobOutput.execute({ job_id }, runtime)).toMatchObject({
      state: "ended",
      output: "up\n",
    });
  });

  it("tell at once when they fail", async () => {
    const command = "echo broken >&2; exit 7";
    expect(await jobStart.execute({ command, cwd: "src" }, await open())).toMatchObject({
      state: "ended",
      exit_code: 7,
      output: "broken\n",
      next: 7,
    });
  });

  it("show only what is new since the last look", async () => {
    const runtime = await open();
    const command =
      "printf 'one\\n'; until [ -e go ]; do sleep 0.05; done; printf '\\033[1mtwo\\n'";
    const { job_id } = await jobStart.execute({ command }, runtime);
    await waitFor("one", job_id, runtime);
    const { next } = await jobOutput.execute({ job_id }, runtime);
    const nothing = await jobOutput.execute({ job_id, since: next }, runtime);
    expect(nothing).toMatchObject({ output: "", next });
    await runtime.fs.write("go", "");
    await waitFor("two", job_id, runtime);
    expect(await jobOutput.execute({ job_id, since: next }, runtime)).toMatchObject({
      output: "two\n",
    });
  });

  it("are listed in the order in which they were started", async () => {
    const runtime = await open();
    const first = await jobStart.execute({ command: "sleep 601" }, runtime);
    const second = await jobStart.execute({ command: "exit 1" }, runtime);
    expect(await jobList.execute({}, runtime)).toMatchObject({
      jobs: [
        { job_id: first.job_id, state: "running" },
        { job_id: second.job_id, state: "ended", exit_code: 1 },
      ],
    });
  });

  it("that have ended already are not stopped again", async () => {
    const runtime = await open();
    const { job_id } = await jobStart.execute({ command: "true" }, runtime);
    expect(await jobStop.execute({ job_id }, runtime)).toMatchObject({
      exit_code: 0,
      message: `${job_id} had already ended.`,
    });
  });

  it("that are unknown are answered with the list of jobs", async () => {
    const runtime = await open();
    const args = { job_id: "x" };
    await expect(jobOutput.execute(args, runtime)).rejects.toMatchObject({
      code: "not-found",
      message: 'There is no job "x" in this session. It has no jobs. Use `job_start` to start one.',
    });
    const { job_id } = await jobStart.execute({ command: "true" }, runtime);
    await expect(jobStop.execute(args, runtime)).rejects.toMatchObject({
      code: "not-found",
      message: `There is no job "x" in this session. Its jobs: ${job_id} (ended).`,
    });
  });

  const odd: Job = {
    id: "j",
    command: "x\u001b[1m",
    cwd: "/w",
    state: "running",
    startedAt: 0,
    processes: [
      { pid: 3, command: "a", ports: [3001, 80] },
      { pid: 4, command: "b", ports: [80] },
    ],
  };
  const withJob = (output: Partial<JobOutput>): Runtime => {
    const { shell } = createTestRuntime();
    const seen: JobOutput = { job: odd, text: "", omittedBytes: 0, next: 0, ...output };
    const jobs = {
      ...shell.jobs,
      start: async () => odd,
      list: async () => [odd],
      output: async () => seen,
    };
    return createTestRuntime({ shell: { ...shell, jobs } });
  };

  it("show the ports of all their processes", async () => {
    expect(await jobStart.execute({ command: "x" }, withJob({}))).toEqual({
      job_id: "j",
      state: "running",
      command: "x",
      cwd: "/w",
      started_at: "1970-01-01T00:00:00.000Z",
      pid: 3,
      ports: [80, 3001],
      output: "",
      next: 0,
    });
  });

  it("say how much of their output is gone, and how they ended", async () => {
    const ended: Job = { ...odd, state: "ended", processes: [], signal: "SIGKILL", reason: "Why." };
    const runtime = withJob({ job: ended, text: "a\0", omittedBytes: 5, next: 7 });
    expect(await jobOutput.execute({ job_id: "j", since: 0 }, runtime)).toMatchObject({
      signal: "SIGKILL",
      reason: "Why.",
      output: "a␀",
      omitted_bytes: 5,
      next: 7,
    });
  });

  it("are not started where nothing can be run", async () => {
    const { openShell } = createMemoryComputer();
    const runtime = createTestRuntime({ shell: openShell({} as never) });
    const start = jobStart.execute({ command: "true" }, runtime);
    await expect(start).rejects.toMatchObject({ code: "unavailable" });
    expect(await jobList.execute({}, runtime)).toEqual({ jobs: [] });
  });
});

const runtime = (): Promise<Runtime> => openCommands(jobStart);
const noJob = { name: "no job", arguments: {}, expect: { error: "invalid-arguments" } } as const;
const unknown = {
  name: "an unknown job",
  arguments: { job_id: "x" },
  runtime,
  expect: { error: "not-found" },
} as const;

describeToolContract(jobStart, [
  {
    name: "a command that ends",
    arguments: { command: "echo x; exit 2", cwd: "." },
    runtime,
    expect: { data: { state: "ended", output: "x\n", exit_code: 2 } },
  },
  { name: "nothing", arguments: { command: "" }, expect: { error: "invalid-arguments" } },
]);
describeToolContract(jobOutput, [unknown, noJob]);
describeToolContract(jobStop, [unknown, noJob]);
describeToolContract(jobList, [
  { name: "none", arguments: {}, runtime, expect: { data: { jobs: [] } } },
]);
