import type { SandboxLimits } from "../sandbox.ts";
import type { Machine } from "./machine.ts";
import { reportScript } from "./report-script.ts";

/** What a supervisor needs to know about a run beside the program itself. */
export interface Supervised {
  readonly argv: readonly string[];
  readonly limits: SandboxLimits;
  /** The command of the bridge from a port to the run's egress socket. */
  readonly bridge?: readonly string[];
}

/**
 * Returns the program and arguments that run in a sandbox: a shell that sets limits, runs the program
 * without our descriptors, and reports on descriptor 3 what is still running when that has ended.
 */
export function supervise(
  { argv, limits, bridge }: Supervised,
  { shell: bash, dash }: Pick<Machine, "shell" | "dash">,
): readonly string[] {
  const shell = dash === undefined ? inBash : inDash;
  const script = [
    ...setLimits(limits, shell),
    // If memory runs out, this process is killed first.
    "echo 500 >/proc/self/oom_score_adj",
    // Messages of this shell itself are dropped.
    "exec 4>&2 2>/dev/null",
    ...(bridge === undefined ? ["bridge="] : startBridge(bridge)),
    '(exec "$@" 2>&4 3>&- 4>&-)',
    "code=$?",
    "set -- /proc/[0-9]*",
    `if [ $# -gt ${bridge === undefined ? 1 : 2} ]; then`,
    "exec 4>&-",
    reportScript,
    "fi",
    "exit $code",
  ].join("\n");
  const start = dash === undefined ? [bash, "--norc", "--noprofile", "-p"] : [dash];
  return [...start, "-c", script, "haft", ...argv];
}

interface ShellDialect {
  readonly processes: string;
  /** Size of a `ulimit -f` block in bytes. */
  readonly blockBytes: number;
}

const inBash: ShellDialect = { processes: "u", blockBytes: 1024 };
const inDash: ShellDialect = { processes: "p", blockBytes: 512 };

// A limit that can't be set is already lower.
function setLimits(limits: SandboxLimits, shell: ShellDialect): readonly string[] {
  const { processes, memoryBytes, fileBytes, cpuSeconds } = limits;
  return [
    "ulimit -c 0",
    `ulimit -${shell.processes} ${whole(processes)}`,
    // Memory in use, not merely reserved: some programs reserve terabytes.
    `ulimit -d ${whole(memoryBytes / 1024)}`,
    `ulimit -f ${whole(fileBytes / shell.blockBytes)}`,
    ...(cpuSeconds === undefined ? [] : [`ulimit -t ${whole(cpuSeconds)}`]),
  ];
}

function whole(limit: number): number {
  return Math.max(1, Math.floor(limit));
}

// The bridge prints its process ID and closes its output when it listens.
function startBridge(argv: readonly string[]): readonly string[] {
  const words = argv.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return [
    `bridge=$(NODE_OPTIONS= ${words} </dev/null 3>&- 4>&- &)`,
    'if [ -z "$bridge" ]; then',
    "  echo 'haft: the egress proxy of the sandbox could not be opened' >&4",
    "  exit 125",
    "fi",
  ];
}
