import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A platform for a client to talk to. */
export interface StartedServer {
  readonly url: string;
  readonly organization: string;
  readonly token: string;
  close(): Promise<void>;
}

const program = fileURLToPath(
  new URL("../../packages/platform/src/api/test-support/serve-tools.ts", import.meta.url),
);

/** Starts a platform as a process of its own, on a new directory and a free port. */
export async function startServer(): Promise<StartedServer> {
  const directory = await mkdtemp(join(tmpdir(), "haft-typed-client-"));
  const child = spawn(process.execPath, [program, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  const said = once(createInterface(child.stdout), "line") as Promise<[string]>;
  const first = await Promise.race([said, ended.then(() => undefined)]);
  if (first === undefined) {
    await close();
    throw new Error("The server ended before it said where it is.");
  }
  const {
    url,
    organization,
    api_key: token,
  } = JSON.parse(first[0]) as Record<string, string> & {
    url: string;
    organization: string;
    api_key: string;
  };
  return { url, organization, token, close };
}
