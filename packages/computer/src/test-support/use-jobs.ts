import type { Jobs } from "@haft/contract";
import { createDiskComputer, type SandboxMode } from "../disk/disk-computer.ts";
import { makeRunScope } from "./run-scope.ts";

// Does one thing with the jobs of a session that outlive the process, and prints what came of it.
const [workspace = "", stateDirectory = "", sandbox = "off", action = "", ...args] =
  process.argv.slice(2);
const computer = createDiskComputer({
  workspace,
  stateDirectory,
  sandbox: sandbox as SandboxMode,
  keepJobs: true,
});
const session = computer.openSession("kept");
const { jobs } = computer.openShell(makeRunScope(computer, { session: "kept" }));
const [first = ""] = args;
const actions: Readonly<Record<string, () => Promise<unknown>>> = {
  start: (): ReturnType<Jobs["start"]> => jobs.start({ command: first }),
  list: () => jobs.list(),
  output: () => jobs.output(first, Number(args[1] ?? 0)),
  wait: () => jobs.output(first, 0, { until: "exit", maxMs: 60_000 }),
  stop: () => jobs.stop(first),
  close: () => session.close(),
};
const told = await actions[action]?.().catch(({ code, message }) => ({ code, message }));
process.stdout.write(JSON.stringify(told ?? null));
