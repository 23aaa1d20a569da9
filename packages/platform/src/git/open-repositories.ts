import { mkdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import { compare } from "./browse/compare.ts";
import { listBranches } from "./browse/list-branches.ts";
import { listCommits } from "./browse/list-commits.ts";
import { readFile } from "./browse/read-file.ts";
import { readFolder } from "./browse/read-folder.ts";
import type { RepositoryBrowser } from "./browse/repository-browser.ts";
import { createGit } from "./git-process.ts";
import { findGit } from "./git-program.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { lookUp, type RepositoryContext } from "./look-up.ts";
import { writePushHooks } from "./push-hooks.ts";
import { createPushTurns, defaultPushTurns } from "./push-turns.ts";
import { createPushes } from "./pushes.ts";
import { readProject } from "./read-project.ts";
import { isReferenceName } from "./reference-name.ts";
import type { Repositories } from "./repositories.ts";
import { createRepositoryFolders, type InitialFiles } from "./repository-folders.ts";
import { runGit } from "./run-git.ts";
import { serveSmartHttp } from "./smart-http.ts";

/** The organizations' repositories: git access, publishing and browsing. */
export interface OpenRepositories extends Repositories, RepositoryBrowser {
  /** Stops running git processes. */
  close(): Promise<void>;
}

const maxExchanges = 16;

/** Opens the repositories in a directory. Several processes can open it at the same time. */
export async function openRepositories(
  parts: Pick<PlatformParts, "settings" | "audit">,
  options: {
    readonly directory: string;
    /** What `main` of a new repository has. Default: nothing. */
    readonly initialFiles?: InitialFiles;
  },
): Promise<OpenRepositories> {
  const program = await findGit();
  const directory = resolve(options.directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const hooks = await writePushHooks(join(directory, "hooks"));
  const git = createGit(program, directory);
  const folders = createRepositoryFolders(git, directory, options.initialFiles);
  const housekeeping = createHousekeeping(git);
  const pushes = createPushes({
    ...{ ...parts, git, program, hooks, housekeeping },
    turns: createPushTurns(defaultPushTurns),
    spool: directory,
  });
  const exchanges = new Map<string, number>();
  const repository = async (
    organization: string,
    signal?: AbortSignal,
  ): Promise<RepositoryContext> => ({
    git,
    path: await folders.require(organization),
    organization,
    signal,
  });

  return {
    findBranch: async (organization, branch) => {
      if (!isReferenceName(branch)) return undefined;
      const [commit] = await lookUp(await repository(organization), [
        `refs/heads/${branch}^{commit}`,
      ]);
      return commit?.hash;
    },
    isAncestor: async (organization, { ancestor, commit }) => {
      if (![ancestor, commit].every((hash) => /^[0-9a-f]{40}$/.test(hash))) return false;
      const path = await folders.require(organization);
      // 128 if one of the commits is not in the repository.
      const { code } = await runGit(
        git,
        [`--git-dir=${path}`, "merge-base", "--is-ancestor", ancestor, commit],
        { codes: [1, 128] },
      );
      return code === 0;
    },
    readProject: async (organization, project) =>
      await readProject(await repository(organization), {
        ...project,
        maxBytes: parts.settings.maxProjectBytes,
      }),
    serve: async (request, response, { principal, path: requestPath }) => {
      const { organization } = principal;
      const underWay = (exchanges.get(organization) ?? 0) + 1;
      exchanges.set(organization, underWay);
      try {
        if (underWay > maxExchanges) {
          throw new Problem(503, "Too many clones and pushes are under way. Try again shortly.", {
            "retry-after": "5",
          });
        }
        const path = await folders.require(organization);
        await serveSmartHttp(request, response, {
          ...pushes.toExchange({ path, principal }),
          requestPath,
        });
      } catch (error) {
        if (!(error instanceof Problem) || response.headersSent) throw error;
        sendRefusal(request, response, error);
      } finally {
        exchanges.set(organization, (exchanges.get(organization) ?? 1) - 1);
      }
    },
    listBranches: async (organization, query, signal) =>
      await listBranches(await repository(organization, signal), query),
    listCommits: async (organization, query, signal) =>
      await listCommits(await repository(organization, signal), query),
    readFolder: async (organization, wanted, signal) =>
      await readFolder(await repository(organization, signal), wanted),
    readFile: async (organization, query, signal) =>
      await readFile(await repository(organization, signal), query),
    compare: async (organization, query, signal) =>
      await compare(await repository(organization, signal), query),
    close: async () => await git.close(),
  };
}

/** Answers with a problem: as plain text to git, which prints it, and as JSON to other clients. */
function sendRefusal(request: IncomingMessage, response: ServerResponse, problem: Problem): void {
  // Read and drop the rest of the body: a client that is cut off while sending never reads the
  // answer.
  request.resume();
  const isGit = request.headers["user-agent"]?.startsWith("git/") === true;
  response.writeHead(problem.status, {
    ...problem.headers,
    "content-type": isGit ? "text/plain; charset=utf-8" : "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(isGit ? `${problem.message}\n` : JSON.stringify({ detail: problem.message }));
}
