import { mkdirSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDiskComputer, type DiskComputer, type ProgramStart } from "@haft/computer";
import type { PlatformSettings } from "../platform-settings.ts";

/** What makes one sandbox another than the next. */
export interface WorkerSpec {
  readonly runtime: "node" | "python";
  readonly memoryMb: number;
  /** Whom it may reach: nobody, not even itself, if there are none. */
  readonly hosts: readonly string[];
}

/** What a launcher is made of. */
export interface LauncherOptions {
  /** Where sandboxes keep what they need. */
  readonly directory: string;
  readonly privateHosts: PlatformSettings["privateHosts"];
}

/** Starts the processes of workers in sandboxes. */
export interface WorkerLauncher {
  start(
    spec: WorkerSpec,
    hear: Pick<ProgramStart, "onOutput" | "onErrors">,
  ): ReturnType<DiskComputer["startProgram"]>;
}

const megabyte = 1024 * 1024;

// What a runtime has mapped before it has done anything; most of that is room for compiled code.
const ownMb = { node: 576, python: 96 } as const;

/** Makes a launcher. Nothing is started before it is asked for. */
export function createWorkerLauncher({ directory, privateHosts }: LauncherOptions): WorkerLauncher {
  const workspace = join(directory, "empty");
  mkdirSync(workspace, { recursive: true });
  const computer = createDiskComputer({
    workspace,
    stateDirectory: join(directory, "state"),
    sandbox: "required",
  });
  const environment = chooseEnvironment();
  let python: Promise<string> | undefined;
  const start: WorkerLauncher["start"] = async ({ runtime, memoryMb, hosts }, hear) => {
    python ??= runtime === "python" ? findPython(computer) : undefined;
    const command = runtime === "node" ? nodeCommand(memoryMb) : await pythonCommand(python);
    return computer.startProgram({
      // What is printed and what is answered must not get mixed up, whoever prints it.
      argv: ["/bin/sh", "-c", launchScript(runtime, memoryMb), "sh", ...command],
      environment,
      startsBare: true,
      reads: [dirname(nodeScript), dirname(pythonScript)],
      writes: [],
      ...(hosts.length > 0 && { hosts, onlyPublic: privateHosts === "never" }),
      limits: {
        processes: 64,
        memoryBytes: (ownMb.node + memoryMb) * megabyte,
        fileBytes: 64 * megabyte,
      },
      ...hear,
    });
  };
  return { start };
}

// The way out of a sandbox is a program too, and needs more than a small tool may have.
function launchScript(runtime: WorkerSpec["runtime"], memoryMb: number): string {
  return `ulimit -d ${(ownMb[runtime] + memoryMb) * 1024}; exec "$@" 3>&1 1>&2`;
}

const here = fileURLToPath(import.meta.url);
// The same from `src` and from `dist`.
const nodeScript = join(dirname(here), "node-worker", `node-worker${extname(here)}`);
const pythonScript = fileURLToPath(new URL("../../runner/worker.py", import.meta.url));

function nodeCommand(memoryMb: number): string[] {
  return [
    process.execPath,
    `--max-old-space-size=${memoryMb}`,
    // Most tools make little garbage, and there are many of them.
    "--max-semi-space-size=1",
    "--v8-pool-size=1",
    "--disable-warning=ExperimentalWarning",
    nodeScript,
  ];
}

async function pythonCommand(python: Promise<string> | undefined): Promise<string[]> {
  return [(await python) ?? "python3", "-I", "-X", "utf8", pythonScript];
}

// What is first on the search path may be a script that looks for it each time anew.
async function findPython(computer: DiskComputer): Promise<string> {
  let said = "";
  const asked = await computer.startProgram({
    argv: ["python3", "-I", "-c", "import sys; print(sys.executable)"],
    writes: [],
    reads: [dirname(nodeScript), dirname(pythonScript)],
    onOutput: (bytes) => {
      said += Buffer.from(bytes).toString("utf8");
      return undefined;
    },
    onErrors: () => undefined,
  });
  asked.keepAlive(true);
  await asked.ended;
  return said.trim() || "python3";
}

// Whoever publishes tools need not know what the server was started with; whom it trusts they need.
const trust = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];

function chooseEnvironment(): Record<string, string> {
  const kept = trust.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), LANG: "C.UTF-8" };
}
