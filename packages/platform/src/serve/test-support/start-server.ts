import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { sourceCommand } from "../../../../../test/programs/source-command.ts";
import { readCredentials } from "../../organizations/credentials-file.ts";
import type { PlatformOptions } from "../platform.ts";
import { createOutsider, type Outsider } from "./create-outsider.ts";

/** A platform in a process of its own. */
export interface StartedServer {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it wrote to standard error so far. */
  errors(): string;
  /** Somebody who uses it, with the key of its data directory. */
  enter(): Outsider;
  /** Ends it at once, whatever it is doing. */
  kill(): Promise<void>;
  /** Has it end by itself; gives the exit code. */
  stop(): Promise<number | null>;
}

const [command, ...before] = await sourceCommand(new URL("./serve-platform.ts", import.meta.url));

/** Starts a platform from its sources on a data directory. The caller ends it. */
export async function startServer(
  options: Partial<Omit<PlatformOptions, "log" | "beside">> & { readonly directory: string },
  environment: Readonly<Record<string, string>> = {},
): Promise<StartedServer> {
  const child = spawn(command, [...before, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  const said = once(createInterface(child.stdout), "line") as Promise<[string]>;
  const first = await Promise.race([said, ended.then(() => undefined)]);
  if (first === undefined) throw new Error(`The server ended: ${errors}`);
  const { url, trouble } = JSON.parse(first[0]) as { url: string; trouble: string | null };
  if (trouble !== null) throw new Error(`The server can't run tools: ${trouble}`);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal);
    return (await ended)[0];
  };
  return {
    url,
    child,
    errors: () => errors,
    enter: () => {
      const credentials = readCredentials(options.directory);
      if (credentials === undefined) throw new Error("The server wrote no credentials.");
      return createOutsider({ ...credentials, url });
    },
    kill: async () => void (await end("SIGKILL")),
    stop: () => end("SIGTERM"),
  };
}
