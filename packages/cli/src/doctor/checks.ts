import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type DiskComputer, openSqliteRecorder } from "@haft/computer";
import {
  findCollectorUrl,
  findRipgrep,
  listKeptJobs,
  listWithheldVariables,
  stateDirectory,
} from "@haft/computer/internal";
import type { Computer } from "@haft/core";
import { describeSearchSetup } from "@haft/tools/internal";
import type { Io } from "../io.ts";
import { openComputer } from "../open-workspace.ts";
import { findProviders } from "../options/choose-tools.ts";
import type { CommonOptions } from "../options/common-options.ts";

/** The result of checking one thing that Haft uses. */
export interface Finding {
  readonly name: string;
  readonly found: boolean;
  /** Whether Haft cannot work without it. */
  readonly required: boolean;
  /** A version, a path, or what is wrong. */
  readonly detail: string;
  /** How to fix it if it is missing. */
  readonly remedy?: string;
}

const programs: readonly Program[] = [
  {
    name: "git",
    command: "git",
    use: "publishing and cloning",
    remedy: "install git (Debian: apt-get install git)",
  },
  {
    name: "python",
    command: "python3",
    use: "tools written in Python",
    remedy: "install Python 3 (Debian: apt-get install python3)",
  },
];

/** Runs every check. Never throws because of a finding. */
export async function examine(options: CommonOptions, io: Io): Promise<Finding[]> {
  const state = stateDirectory(io.environment);
  const computer = openComputer(options, io);
  const [ripgrep, compiler, sandbox, reading, ...others] = await Promise.all([
    checkRipgrep(),
    checkCompiler(),
    checkSandbox(computer, options),
    checkReading(computer),
    ...programs.map(checkProgram),
  ]);
  return [
    checkNode(),
    checkWorkspace(computer.roots[0] as string),
    await checkState(state),
    ripgrep,
    compiler,
    ...sandbox,
    reading,
    ...others,
    checkEnvironment(options, io),
    checkSearch(io),
    checkTraces(io),
    checkJobs(state),
  ];
}

function checkNode(): Finding {
  const found = Number.parseInt(process.versions.node, 10) >= 24;
  return {
    name: "node",
    found,
    required: true,
    detail: process.version,
    ...(found ? {} : { remedy: "install Node 24 or newer" }),
  };
}

function checkWorkspace(workspace: string): Finding {
  try {
    accessSync(workspace, constants.R_OK | constants.W_OK);
    return { name: "workspace", found: true, required: false, detail: workspace };
  } catch (error) {
    return {
      name: "workspace",
      found: false,
      required: false,
      detail: (error as Error).message,
      remedy: "choose a directory that you can read and write with -C",
    };
  }
}

async function checkState(state: string): Promise<Finding> {
  try {
    await (await openSqliteRecorder(join(state, "recordings.db"))).close();
    return { name: "state", found: true, required: true, detail: state };
  } catch (error) {
    return {
      name: "state",
      found: false,
      required: true,
      detail: (error as Error).message,
      remedy: "fix that, or set HAFT_HOME to a writable directory",
    };
  }
}

function checkRipgrep(): Promise<Finding> {
  return checkProgram({
    name: "ripgrep",
    // The one that searches use; Haft includes it for most platforms.
    command: findRipgrep()?.path ?? "rg",
    use: "searching files",
    remedy:
      "reinstall Haft with its optional dependencies, or install ripgrep (Debian: apt-get install ripgrep)",
  });
}

async function checkCompiler(): Promise<Finding> {
  const { findCompiler } = await import("@haft/agent/internal");
  return checkProgram({
    name: "typescript",
    command: findCompiler()?.path ?? "typescript",
    use: "checking programs of run_code before they run",
    remedy: "reinstall Haft with its optional dependencies",
  });
}

/** Lists the running background jobs. */
function checkJobs(state: string): Finding {
  const jobs = listKeptJobs(state).flatMap(({ session, running }) =>
    running.map(({ command }) => `${command} (session ${session.name} of ${session.workspace})`),
  );
  const detail = jobs.length === 0 ? "none running" : `${jobs.length} running: ${jobs.join("; ")}`;
  return { name: "jobs", found: true, required: false, detail };
}

/** Tests the sandbox of this machine, and whether it has layers. */
async function checkSandbox(
  computer: DiskComputer,
  options: Pick<CommonOptions, "sandbox">,
): Promise<readonly Finding[]> {
  const { isolation, detail, remedy, layers } = await computer.examineSandbox();
  const found = isolation === "sandbox";
  const isUsed = found && options.sandbox !== "off";
  const without = "without it, programs can read and change files that rules deny";
  return [
    {
      name: "sandbox",
      found,
      required: false,
      detail: isUsed ? detail : `${detail}${found ? ", but off" : ""}; ${without}`,
      ...(found ? {} : { remedy: remedy ?? "run commands with --sandbox=off, if you trust them" }),
    },
    {
      name: "layers",
      required: false,
      ...(layers?.isAvailable
        ? { found: true, detail: "yes" }
        : {
            found: false,
            detail: layers?.reason ?? "layers need the sandbox",
            remedy: layers?.remedy ?? "see the sandbox",
          }),
    },
  ];
}

/** Lists the environment variables that commands don't get. */
function checkEnvironment({ passVariables }: CommonOptions, { environment }: Io): Finding {
  const withheld = listWithheldVariables(environment, passVariables);
  const detail =
    withheld.length === 0
      ? "commands get every variable"
      : `commands do not get, unless passed with --pass-env: ${withheld.join(", ")}`;
  return { name: "environment", found: true, required: false, detail };
}

/** Checks which web search providers are configured. */
function checkSearch({ environment }: Io): Finding {
  const name = "web search";
  const remedy = describeSearchSetup();
  try {
    const providers = findProviders(environment);
    if (providers.length > 0) {
      const detail = providers.map((provider) => provider.name).join(", ");
      return { name, found: true, required: false, detail };
    }
    return { name, found: false, required: false, detail: "no provider is configured", remedy };
  } catch (error) {
    return { name, found: false, required: false, detail: (error as Error).message, remedy };
  }
}

/** Tells where traces are sent. Sends nothing. */
function checkTraces({ environment }: Io): Finding {
  const shared = { name: "traces", required: false };
  const url = findCollectorUrl(environment, "TRACES");
  if (url === undefined) {
    const detail = "not sent; OTEL_EXPORTER_OTLP_ENDPOINT names a collector";
    return { ...shared, found: true, detail };
  }
  const { protocol, origin, pathname, port } = URL.parse(url) ?? {};
  const found = (protocol === "http:" || protocol === "https:") && port !== "4317";
  return found
    ? { ...shared, found, detail: `sent to ${origin}${pathname}` }
    : {
        ...shared,
        found,
        detail: "OTEL_EXPORTER_OTLP_ENDPOINT is not the HTTP address of a collector",
        remedy: "use its port for OTLP over HTTP, such as http://127.0.0.1:4318",
      };
}

/** A program that Haft uses if it is installed. */
interface Program {
  readonly name: string;
  readonly command: string;
  readonly use: string;
  readonly remedy: string;
}

/** Asks a program for its version. */
async function checkProgram({ name, command, use, remedy }: Program): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)(command, ["--version"], { timeout: 5_000 });
    const detail = `${stdout.split("\n", 1)[0]?.trim() ?? ""} (for ${use})`;
    return { name, found: true, required: false, detail };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const detail = missing ? `${command} is not installed (for ${use})` : (error as Error).message;
    return { name, found: false, required: false, detail, remedy };
  }
}

const sample = "git log --oneline | head && echo done";

/** Checks whether command lines can be parsed, which rules for commands depend on. */
async function checkReading(computer: Computer): Promise<Finding> {
  const name = "commands";
  try {
    await computer.prepareShell();
    const { doubts, commands } = computer.readCommand(sample, computer.roots[0] as string);
    if (doubts.length > 0 || commands.length !== 3) {
      throw new Error(doubts[0] ?? `${JSON.stringify(sample)} was misread`);
    }
    const detail = "two parsers agree on a sample";
    return { name, found: true, required: false, detail };
  } catch (error) {
    return {
      name,
      found: false,
      required: false,
      detail: `every command needs approval: ${(error as Error).message}`,
      remedy: "reinstall Haft with all of its dependencies",
    };
  }
}
