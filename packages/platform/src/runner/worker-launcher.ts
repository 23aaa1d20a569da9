import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDiskComputer, type DiskComputer, type ProgramStart } from "@haft/computer";
import { besideFile } from "@haft/computer/internal";
import type { PlatformSettings } from "../platform-settings.ts";
import { findPython, type PythonProgram } from "./find-python.ts";
import { findTrustedAuthorities } from "./trusted-authorities.ts";

/** The properties in which sandboxes differ. */
export interface WorkerSpec {
  readonly runtime: "node" | "python";
  readonly memoryMb: number;
  /** Hosts it may reach. If empty it has no network, not even to itself. */
  readonly hosts: readonly string[];
  /** What a refusal says after the name of another host. */
  readonly refusal: string;
}

/** Options of a launcher. */
export interface LauncherOptions {
  /** A directory for the sandboxes' files. */
  readonly directory: string;
  readonly privateHosts: PlatformSettings["privateHosts"];
}

/** Starts worker processes in sandboxes. */
export interface WorkerLauncher {
  start(
    spec: WorkerSpec,
    hear: Pick<ProgramStart, "onOutput" | "onErrors">,
  ): ReturnType<DiskComputer["startProgram"]>;
}

const megabyte = 1024 * 1024;

// Address space that a runtime maps at startup, mostly reserved for compiled code.
const ownMb = { node: 576, python: 96 } as const;

/** Creates a launcher. It starts nothing by itself. */
export function createWorkerLauncher({ directory, privateHosts }: LauncherOptions): WorkerLauncher {
  const workspace = join(directory, "empty");
  mkdirSync(workspace, { recursive: true });
  const computer = createDiskComputer({
    workspace,
    stateDirectory: join(directory, "state"),
    sandbox: "required",
    isBare: true,
  });
  const trusted = findTrustedAuthorities();
  const environment = { ...trusted.environment, LANG: "C.UTF-8" };
  const reads = [dirname(nodeScript), dirname(pythonScript), ...trusted.reads];
  let python: ReturnType<typeof findPython> | undefined;
  const start: WorkerLauncher["start"] = async ({ runtime, memoryMb, hosts, refusal }, hear) => {
    python ??= runtime === "python" ? findPython() : undefined;
    const found = runtime === "python" ? await python : undefined;
    const command = runtime === "node" ? nodeCommand(memoryMb) : pythonCommand(found);
    return computer.startProgram({
      // Output and answers must not mix, even if a child process prints.
      argv: ["/bin/sh", "-c", launchScript(runtime, memoryMb), "sh", ...command],
      environment,
      reads: [...reads, ...(found?.reads ?? [])],
      hides: found?.hides ?? [],
      writes: [],
      ...(hosts.length > 0 && { hosts, refusal, onlyPublic: privateHosts === "never" }),
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

// The network relay of a sandbox is a process too and needs more memory than a small tool may have.
function launchScript(runtime: WorkerSpec["runtime"], memoryMb: number): string {
  return `ulimit -d ${(ownMb[runtime] + memoryMb) * 1024}; exec "$@" 3>&1 1>&2`;
}

const nodeScript = besideFile(import.meta.url, "node-worker/node-worker");
const pythonScript = fileURLToPath(new URL("../../runner/worker.py", import.meta.url));

function nodeCommand(memoryMb: number): string[] {
  return [
    process.execPath,
    `--max-old-space-size=${memoryMb}`,
    // Most tools make little garbage, and there are many workers.
    "--max-semi-space-size=1",
    "--v8-pool-size=1",
    "--disable-warning=ExperimentalWarning",
    nodeScript,
  ];
}

function pythonCommand(python: PythonProgram | undefined): string[] {
  return [python?.executable ?? "python3", "-I", "-X", "utf8", pythonScript];
}
