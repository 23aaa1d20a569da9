import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Broker, createBroker } from "../broker/broker.ts";
import type { LaunchPlan, LaunchReport } from "../sandbox/launch-plan.ts";
import { brokerStartFor, openSandbox } from "../sandbox/open-sandbox.ts";
import type { Sandbox, SandboxedRun } from "../sandbox/sandbox.ts";
import type { SandboxContext } from "../sandbox/sandbox-context.ts";

/** What of a run differs from running a command in its first writable directory. */
export interface TestRunOptions extends Partial<Omit<SandboxedRun, "run">> {
  readonly argv?: readonly [string, ...string[]];
  readonly input?: string;
}

/** How a run in a sandbox ended. */
export interface TestRun {
  readonly exitCode: number | undefined;
  readonly output: string;
  readonly left: LaunchReport["left"];
  readonly notes: readonly string[];
}

/** A real sandbox with a directory to make workspaces in. */
export interface TestSandbox {
  readonly sandbox: Sandbox;
  readonly place: SandboxContext;
  readonly broker: Broker;
  /** Where the broker is, in which everything but workspaces and state is outside. */
  readonly base: string;
  readonly home: string;
  /** Makes a directory with files; a name that ends in a slash is a directory. */
  makeWorkspace(files?: Readonly<Record<string, string>>): string;
  run(workspace: string, command: string, options?: TestRunOptions): Promise<TestRun>;
  launch(plan: LaunchPlan, input?: string): Promise<Omit<TestRun, "notes">>;
  close(): void;
}

/** Options of a test sandbox. Default: empty temporary directories. */
export interface TestSandboxOptions {
  readonly base?: string;
  readonly home?: string;
  readonly roots?: readonly string[];
}

/** Opens the sandbox of this machine; it must have one. */
export async function openTestSandbox(given: TestSandboxOptions = {}): Promise<TestSandbox> {
  const base = realpathSync(given.base ?? mkdtempSync(join(tmpdir(), "haft-sandbox-")));
  const home = given.home ?? join(base, "home");
  const workspaces = join(base, "work");
  for (const directory of [home, workspaces]) mkdirSync(directory, { recursive: true });
  const place: SandboxContext = {
    roots: given.roots ?? [workspaces],
    home,
    stateDirectory: join(base, "state"),
    searchPath: process.env.PATH,
  };
  const broker = createBroker(brokerStartFor(place));
  const launch: TestSandbox["launch"] = async (plan, input) => {
    const output: Buffer[] = [];
    const launched = await broker.launch(plan, {
      output: (bytes) => {
        // The bytes are only lent.
        output.push(Buffer.from(bytes));
        return undefined;
      },
      ...(input !== undefined && { input }),
    });
    const { exitCode, left } = await launched.ended;
    return { exitCode, left, output: Buffer.concat(output).toString("utf8") };
  };
  const close = (): void => {
    broker.close();
    rmSync(base, { recursive: true, force: true });
  };
  const finding = await openSandbox(place, launch);
  if (finding.sandbox === undefined) {
    close();
    throw new Error(`${finding.reason}. ${finding.remedy}`);
  }
  const { sandbox } = finding;
  let count = 0;
  return {
    sandbox,
    place,
    broker,
    base,
    home,
    makeWorkspace: (files = {}) => {
      const workspace = join(workspaces, `${++count}`);
      mkdirSync(workspace);
      for (const [name, content] of Object.entries(files)) put(join(workspace, name), content);
      return workspace;
    },
    run: async (workspace, command, { argv, input, ...options } = {}) => {
      const prepared = await sandbox.prepare({
        run: argv === undefined ? { command } : { argv },
        cwd: workspace,
        environment: { PATH: process.env.PATH ?? "", LANG: "C.UTF-8" },
        readable: [],
        writable: [workspace],
        ...options,
      });
      const ended = await launch(prepared.plan, input);
      return { ...ended, notes: await prepared.settle() };
    },
    launch,
    close,
  };
}

function put(path: string, content: string): void {
  mkdirSync(path.endsWith("/") ? path : dirname(path), { recursive: true });
  if (!path.endsWith("/")) writeFileSync(path, content);
}
