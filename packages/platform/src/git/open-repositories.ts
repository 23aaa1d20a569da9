import { mkdir } from "node:fs/promises";
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
import { sendRefusal } from "./git-refusal.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { lookUp, type RepositoryPlace } from "./look-up.ts";
import { writePushHooks } from "./push-hooks.ts";
import { createPushes } from "./pushes.ts";
import { readProject } from "./read-project.ts";
import { isReferenceName } from "./reference-name.ts";
import type { Repositories } from "./repositories.ts";
import { createRepositoryFolders } from "./repository-folders.ts";
import { runGit } from "./run-git.ts";
import { serveSmartHttp } from "./smart-http.ts";

/** The organizations' repositories, to be pushed to, published from and looked into. */
export interface OpenRepositories extends Repositories, RepositoryBrowser {
  /** Stops what is under way. */
  close(): Promise<void>;
}

const mostExchanges = 16;

/** Opens the repositories in a directory. Several processes may have it open at a time. */
export async function openRepositories(
  parts: Pick<PlatformParts, "settings" | "audit">,
  options: { readonly directory: string },
): Promise<OpenRepositories> {
  const program = await findGit();
  const directory = resolve(options.directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const hooks = await writePushHooks(join(directory, "hooks"));
  const git = createGit(program, directory);
  const folders = createRepositoryFolders(git, directory);
  const housekeeping = createHousekeeping(git);
  const pushes = createPushes({ ...parts, git, program, hooks, housekeeping });
  const exchanges = new Map<string, number>();
  const place = async (organization: string, signal?: AbortSignal): Promise<RepositoryPlace> => ({
    git,
    path: await folders.require(organization),
    organization,
    signal,
  });

  return {
    findBranch: async (organization, branch) => {
      if (!isReferenceName(branch)) return undefined;
      const [commit] = await lookUp(await place(organization), [`refs/heads/${branch}^{commit}`]);
      return commit?.hash;
    },
    isAncestor: async (organization, { ancestor, commit }) => {
      if (![ancestor, commit].every((hash) => /^[0-9a-f]{40}$/.test(hash))) return false;
      const path = await folders.require(organization);
      // 128 where one of the two is not in the repository.
      const { code } = await runGit(
        git,
        [`--git-dir=${path}`, "merge-base", "--is-ancestor", ancestor, commit],
        { codes: [1, 128] },
      );
      return code === 0;
    },
    readProject: async (organization, project) =>
      await readProject(await place(organization), {
        ...project,
        mostBytes: parts.settings.mostProjectBytes,
      }),
    serve: async (request, response, { principal, path: requestPath }) => {
      const { organization } = principal;
      const underWay = (exchanges.get(organization) ?? 0) + 1;
      exchanges.set(organization, underWay);
      try {
        if (underWay > mostExchanges) {
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
      await listBranches(await place(organization, signal), query),
    listCommits: async (organization, query, signal) =>
      await listCommits(await place(organization, signal), query),
    readFolder: async (organization, wanted, signal) =>
      await readFolder(await place(organization, signal), wanted),
    readFile: async (organization, query, signal) =>
      await readFile(await place(organization, signal), query),
    compare: async (organization, query, signal) =>
      await compare(await place(organization, signal), query),
    close: async () => await git.close(),
  };
}
