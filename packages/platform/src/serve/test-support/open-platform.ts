import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../../operations/logging.ts";
import { readCredentials } from "../../organizations/credentials-file.ts";
import type { Platform } from "../platform.ts";
import { startPlatform } from "../start-platform.ts";
import type { CallerOptions } from "./create-caller.ts";
import { createOutsider, type Outsider } from "./create-outsider.ts";

/** A platform in this process, and somebody outside who uses it over the network. */
export interface TestPlatform extends Outsider {
  readonly platform: Platform;
  readonly directory: string;
  /** Everything that was logged. */
  readonly logged: readonly string[];
  close(): Promise<void>;
}

/** What can be different. */
export interface TestPlatformOptions {
  /** One that is there already, and stays. */
  readonly directory?: string;
  /** `postgres://…` instead of SQLite. */
  readonly database?: string | undefined;
  /** What `settings.json` says. */
  readonly settings?: object;
  /** The state directory of a user whose calls wait for approval. */
  readonly sessionState?: string;
  /** Another clock than the system's. */
  now?(): number;
  readonly onAnswer?: CallerOptions["onAnswer"];
}

/** Starts a platform on a free port, in a directory of its own. */
export async function openPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), "haft-platform-"));
  if (options.settings !== undefined) {
    writeFileSync(join(directory, "settings.json"), JSON.stringify(options.settings));
  }
  const logged: string[] = [];
  const platform = await startPlatform({
    ...{ directory, role: "all", port: 0, hostname: "127.0.0.1", version: "1.2.3" },
    database: options.database,
    environment: {},
    ...(options.sessionState !== undefined && { sessionState: options.sessionState }),
    ...(options.now !== undefined && { now: options.now }),
    log: createLog({ level: "info", stream: { write: (line) => void logged.push(line) } }),
  });
  const credentials = readCredentials(directory);
  if (credentials === undefined) throw new Error("The platform wrote no credentials.");
  const outsider = createOutsider(credentials, options.onAnswer);
  return {
    ...outsider,
    platform,
    directory,
    logged,
    close: async () => {
      outsider.close();
      await platform.close();
      if (options.directory === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}
