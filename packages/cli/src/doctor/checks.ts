import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { findRipgrep, openSqliteRecorder, stateDirectory } from "@haft/computer";
import type { Io } from "../io.ts";

/** What was found out about one thing that Haft uses. */
export interface Finding {
  readonly name: string;
  readonly found: boolean;
  /** Without it Haft does not work. */
  readonly required: boolean;
  /** A version, a path, or what is wrong. */
  readonly detail: string;
  /** What to do about it, if it is missing. */
  readonly remedy?: string;
}

interface Program {
  readonly name: string;
  readonly command: string;
  readonly use: string;
  readonly remedy: string;
}

const programs: readonly Program[] = [
  {
    name: "sandbox",
    command: "bwrap",
    use: "confining commands",
    remedy: "install bubblewrap (Debian: apt-get install bubblewrap)",
  },
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
export async function examine(workspace: string, io: Io): Promise<Finding[]> {
  return [
    checkNode(),
    checkWorkspace(workspace),
    await checkState(stateDirectory(io.environment)),
    await checkRipgrep(),
    ...(await Promise.all(programs.map(checkProgram))),
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
