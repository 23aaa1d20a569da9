import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { findRipgrep, openSqliteRecorder, stateDirectory } from "@haft/computer";
import type { Io } from "../io.ts";
import { openComputer } from "../open-workspace.ts";
import type { CommonOptions } from "../options/common-options.ts";
import { checkJobs } from "./check-jobs.ts";
import { checkProgram, type Program } from "./check-program.ts";
import { checkReading } from "./check-reading.ts";
import { checkSandbox } from "./check-sandbox.ts";
import { checkSearch } from "./check-search.ts";
import type { Finding } from "./finding.ts";

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

/** Looks at this machine. Nothing it finds makes it throw. */
export async function examine(options: CommonOptions, io: Io): Promise<Finding[]> {
  const state = stateDirectory(io.environment);
  const computer = openComputer(options, io);
  const [ripgrep, sandbox, reading, ...others] = await Promise.all([
    checkRipgrep(),
    checkSandbox(computer),
    checkReading(computer),
    ...programs.map(checkProgram),
  ]);
  return [
    checkNode(),
    checkWorkspace(computer.roots[0] as string),
    await checkState(state),
    ripgrep,
    sandbox,
    reading,
    ...others,
    checkSearch(io),
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
      remedy: "choose a directory that you may read and write, with -C",
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
      remedy: "as it says, or set HAFT_HOME to a directory that is writable",
    };
  }
}

function checkRipgrep(): Promise<Finding> {
  return checkProgram({
    name: "ripgrep",
    // The one that searches use: it comes with Haft where there is one for the platform.
    command: findRipgrep()?.path ?? "rg",
    use: "searching files",
    remedy:
      "reinstall Haft with its optional dependencies, or install ripgrep (Debian: apt-get install ripgrep)",
  });
}
