import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { findProgram } from "../../../scripts/lib/find-program.mjs";
import { type Ran, runProgram } from "./run-program.ts";

/** Somebody's empty home and a project of theirs; both go when the test ends. */
export interface Desk {
  readonly home: string;
  readonly workspace: string;
  /** What a program sees of this machine, and nothing else. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs the built `haft` in the project. */
  haft(...args: string[]): Promise<Ran>;
  /** Runs a client in the project. */
  run(program: ClientProgram, args: readonly string[], more?: Record<string, string>): Promise<Ran>;
  read(file: string): string;
}

/** What a client's package calls its program. */
export interface ClientProgram {
  /** The folder that it was installed into. */
  readonly client: string;
  readonly program: string;
}

/** The built program. */
export const haftProgram: string = fileURLToPath(
  new URL("../../../packages/cli/bin/haft.js", import.meta.url),
);

/** Makes a desk with these files in the project. */
export function createDesk(files: Readonly<Record<string, string | Buffer>>): Desk {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-clients-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  const home = join(directory, "home");
  const workspace = join(directory, "project");
  mkdirSync(home);
  mkdirSync(workspace);
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(workspace, name), content);
  const environment = {
    HOME: home,
    PATH: [dirname(process.execPath), ...sandboxFolder(), ...systemFolders].join(":"),
    LANG: "C.UTF-8",
  };
  return {
    home,
    workspace,
    environment,
    haft: (...args) =>
      runProgram([process.execPath, haftProgram, ...args], { cwd: workspace, environment }),
    run: ({ client, program }, args, more = {}) =>
      runProgram([join(clientsDirectory(), client, "node_modules", ".bin", program), ...args], {
        cwd: workspace,
        environment: { ...environment, ...more },
      }),
    read: (file) => readFileSync(join(workspace, file), "utf8"),
  };
}

const systemFolders = ["/usr/local/bin", "/usr/bin", "/bin"];

// Where somebody has it in a folder of their own.
function sandboxFolder(): string[] {
  const program = findProgram("bwrap", process.env.PATH);
  return program === undefined ? [] : [dirname(program)];
}

function clientsDirectory(): string {
  const directory = process.env.HAFT_CLIENTS_DIR;
  if (directory) return directory;
  throw new Error("The clients are not installed. Run: npm run test:clients");
}
