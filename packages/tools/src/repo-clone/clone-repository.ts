import { type Runtime, ToolError } from "@haft/contract";
import { findCloneTarget } from "./clone-target.ts";
import { explainFailure } from "./explain-failure.ts";
import { findRepository } from "./find-repository.ts";
import {
  type CloneRequest,
  cloneCommand,
  filesCommand,
  gitEnvironment,
  headCommand,
} from "./git-command.ts";

/** A cloned repository. */
export interface ClonedRepository {
  directory: string;
  url: string;
  /** `null` if the repository is empty. */
  commit: string | null;
  /** Absent if a tag was requested. */
  branch?: string;
  files?: number;
  message: string;
}

/** Clones a repository into a directory. After a failure, nothing is left. */
export async function cloneRepository(
  request: CloneRequest,
  directory: string,
  runtime: Runtime,
): Promise<ClonedRepository> {
  const { shell, net, progress } = runtime;
  if ((await shell.find("git")) === undefined) {
    throw new ToolError("unavailable", "git is not installed. Install it, or ask the person to.");
  }
  const place = await findCloneTarget(directory, runtime);
  const { path } = place;
  const address = await findRepository(request.address, net);
  progress({ message: `Cloning ${address.url}` });
  try {
    await place.make();
    const environment = gitEnvironment(address);
    const cloned = await shell.run({
      argv: cloneCommand({ ...request, address }),
      cwd: path,
      environment,
      hosts: [address.host],
      writes: [path],
    });
    if (cloned.exitCode !== 0) throw explainFailure(cloned.stderr, { ...request, address });
    const facts = await describeClone(path, environment, runtime);
    const { url, scheme } = address;
    const { depth } = request;
    const commits = depth === 1 ? "its newest commit" : `its last ${depth} commits`;
    const note =
      scheme === "http"
        ? " It was transferred unencrypted, so it could have been changed on the way."
        : "";
    const message =
      facts.commit === null
        ? `Cloned ${url} into ${path}: it is empty.`
        : `Cloned ${url} into ${path}: ${commits}.`;
    return { directory: path, url, ...facts, message: message + note };
  } catch (error) {
    if (await place.discard()) throw error;
    throw addLeftOver(error, path);
  }
}

async function describeClone(
  cwd: string,
  environment: Readonly<Record<string, string>>,
  { shell }: Runtime,
): Promise<Pick<ClonedRepository, "commit" | "branch" | "files">> {
  const look = { cwd, environment, writes: [] };
  const head = await shell.run({ ...look, argv: headCommand });
  if (head.exitCode !== 0) return { commit: null };
  const [commit = "", branch = "HEAD"] = new TextDecoder().decode(head.stdout).trim().split("\n");
  const listed = await shell.run({ ...look, argv: filesCommand });
  const files = listed.stdout.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  return { commit, ...(branch !== "HEAD" && { branch }), files };
}

function addLeftOver(error: unknown, path: string): unknown {
  if (!ToolError.isInstance(error)) return error;
  const message = `${error.message} Parts of it are left in ${path}: remove them.`;
  return new ToolError(error.code, message, {
    cause: error,
    absolutePath: path,
    ...(error.partial !== undefined && { partial: error.partial }),
  });
}
