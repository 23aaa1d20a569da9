import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

/** The `haft` that was built. */
export const haftProgram: string = fileURLToPath(
  new URL("../../../cli/bin/haft.js", import.meta.url),
);

/** A workspace of a test's own, and `haft` on it. */
export interface PeerWorkspace {
  readonly directory: string;
  readonly environment: Record<string, string>;
  /** Runs a command to its end; it throws if that fails. Options before `--` stay before it. */
  haft(...args: string[]): Promise<{ readonly stdout: string; readonly stderr: string }>;
  /** Starts a command that serves, and gives what it wrote until a text fits. */
  serve(args: readonly string[], ready: RegExp): Promise<RegExpExecArray>;
}

/** Makes a workspace with these files; it goes when the test ends. */
export function makePeerWorkspace(files: Readonly<Record<string, string>> = {}): PeerWorkspace {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "haft-peers-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const directory = join(home, "workspace");
  mkdirSync(directory);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
  const environment = {
    ...(process.env as Record<string, string>),
    HAFT_HOME: join(home, "state"),
  };
  const inWorkspace = ["-C", directory];
  const options = ["--yes", ...inWorkspace];

  return {
    directory,
    environment,
    haft: (...args) => {
      const at = args.includes("--") ? args.indexOf("--") : args.length;
      // `haft mcp list` and `haft mcp remove` never ask for approval, so they refuse --yes.
      const neverAsks = args[0] === "mcp" && ["list", "remove"].includes(args[1] ?? "");
      const added = neverAsks ? inWorkspace : options;
      return promisify(execFile)(
        process.execPath,
        [haftProgram, ...args.toSpliced(at, 0, ...added)],
        { env: environment },
      );
    },
    serve: async (args, ready) => {
      const child = spawn(process.execPath, [haftProgram, ...args, ...options], {
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
      });
      onTestFinished(async () => {
        child.kill();
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      });
      let written = "";
      return new Promise((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding("utf8").on("data", (text: string) => {
            written += text;
            const found = ready.exec(written);
            if (found !== null) resolve(found);
          });
        }
        child.on("exit", () => reject(new Error(`It ended: ${written}`)));
      });
    },
  };
}
