import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { PlatformSettings } from "../../platform-settings.ts";
import { startGitServer, type TestGitServer } from "./git-server.ts";

/** A server for the tests of one `describe`, and a directory for what they make. */
export interface UsedGitServer {
  readonly server: TestGitServer;
  readonly directory: string;
  /** Where the repositories are. */
  readonly repositories: string;
}

/** Starts a server before the tests of a `describe` and takes everything away after them. */
export function useGitServer(settings: Partial<PlatformSettings> = {}): () => UsedGitServer {
  let used: UsedGitServer | undefined;
  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), "haft-git-"));
    const repositories = join(directory, "repositories");
    used = { directory, repositories, server: await startGitServer(repositories, settings) };
  });
  afterAll(async () => {
    await used?.server.close();
    if (used !== undefined) await rm(used.directory, { recursive: true, force: true });
  });
  return () => {
    if (used === undefined) throw new Error("The server has not been started.");
    return used;
  };
}
