import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { sourceCommand } from "../programs/source-command.ts";

/** A platform for a client to talk to. */
export interface StartedServer {
  readonly url: string;
  readonly organization: string;
  readonly token: string;
  /** The address of the organization's repository, with a name and password in it. */
  readonly remote: string;
  close(): Promise<void>;
}

interface Credentials {
  readonly url: string;
  readonly organization: string;
  readonly user_id: string;
  readonly api_key: string;
}

const [command, ...before] = await sourceCommand(
  new URL("../../packages/platform/src/serve/test-support/serve-platform.ts", import.meta.url),
);

/** Starts the whole platform as a process of its own, on a new directory and a free port. */
export async function startServer(): Promise<StartedServer> {
  const directory = await mkdtemp(join(tmpdir(), "haft-typed-client-"));
  const child = spawn(command, [...before, JSON.stringify({ directory })], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const close = async (): Promise<void> => {
    child.kill();
    await ended;
    await rm(directory, { recursive: true, force: true });
  };
  const said = once(createInterface(child.stdout), "line");
  const first = await Promise.race([said, ended.then(() => undefined)]);
  if (first === undefined) {
    await close();
    throw new Error("The server ended before it said where it is.");
  }
  const { url, organization, user_id, api_key }: Credentials = JSON.parse(
    await readFile(join(directory, "credentials.json"), "utf8"),
  );
  const named = url.replace("//", `//${organization}_${user_id}:${api_key}@`);
  const remote = `${named}/v1/${organization}/tool/git`;
  return { url, organization, token: api_key, remote, close };
}
