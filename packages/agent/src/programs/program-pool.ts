import { mkdirSync } from "node:fs";
import { extname, join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { createDiskComputer, type DiskComputer, type ProgramEnd } from "@haft/computer";
import { besideFile, readSmallFile } from "@haft/computer/internal";
import { ToolError } from "@haft/contract";
import { createTypeChecker, type TypeChecker } from "./check/type-checker.ts";
import { programLimits } from "./program-limits.ts";
import type { RealmMessage } from "./program-messages.ts";
import { furnishRealm } from "./program-realm.ts";

/** A process that has run nothing yet. It runs one program. */
export interface BlankProcess {
  /** Sets who receives what the process writes. Only the first listener counts. */
  listen(listener: ProcessListener): void;
  /** Writes a line. Resolves when the process can take more. */
  write(line: string): Promise<void>;
  /** Ends the process and everything in it. */
  stop(): Promise<void>;
}

/** Receives what a program's process writes. */
export interface ProcessListener {
  onOutput(text: string): void;
  /** Called once, when the process has ended by itself. */
  onEnd(end: ProcessEnd): void;
}

/** How a process ended. */
export interface ProcessEnd extends Pick<ProgramEnd, "exitCode" | "signal"> {
  /** The end of its standard error. */
  readonly lastWords: string;
}

/** Keeps a blank process and a checker ready, because starting them takes longer than most programs. */
export interface ProgramPool {
  /** Checks programs before they run. */
  readonly checker: TypeChecker;
  /** Returns why programs can't run here, with the remedy, or `undefined`. */
  findFailure(): Promise<string | undefined>;
  /** Starts a process for the next program and the checker, unless they are ready. Never throws. */
  warm(): Promise<void>;
  /** Returns a process, ready or new. Throws `unavailable` if none can be started. */
  take(): Promise<BlankProcess>;
  close(): Promise<void>;
}

const megabyte = 1024 * 1024;
// Address space that Node maps at its start, mostly reserved for compiled code.
const ownMb = 576;
const startTimeoutMs = 30_000;
const maxLastWords = 4_096;
const ready = '{"kind":"ready"}\n';

/** Creates a pool. Its files go to a directory of its own. `guest` is the script that runs programs. */
export function createProgramPool(directory: string, guest: string = ownGuest): ProgramPool {
  let computer: DiskComputer | undefined;
  let spare: Promise<StartedBlank> | undefined;
  let isClosed = false;
  const open = (): DiskComputer => {
    computer ??= openBareComputer(directory);
    return computer;
  };
  const prepare = (): Promise<StartedBlank> => {
    const starting = startBlank(open(), guest);
    // `take` reports why it could not be started.
    starting.then(({ ended }) => ended.then(() => forget(starting))).catch(() => forget(starting));
    return starting;
  };
  const forget = (gone: Promise<StartedBlank>): void => {
    if (spare === gone) spare = undefined;
  };
  const checker = createTypeChecker({ computer: open, directory: join(directory, "types") });
  return {
    checker,
    findFailure: async () => {
      const { isolation, reason, remedy } = await open().examineSandbox();
      if (isolation === "sandbox") return undefined;
      return `programs need a sandbox, and there is none here: ${reason}. To get one, ${remedy}.`;
    },
    warm: async () => {
      if (!isClosed) spare ??= prepare();
      await Promise.all([spare?.catch(() => {}), checker.warm()]);
    },
    take: async () => {
      const taken = spare ?? prepare();
      spare = undefined;
      return taken;
    },
    close: async () => {
      isClosed = true;
      const left = spare;
      spare = undefined;
      await Promise.all([left?.then(({ stop }) => stop()).catch(() => {}), checker.close()]);
    },
  };
}

function openBareComputer(directory: string): DiskComputer {
  const workspace = join(directory, "empty");
  mkdirSync(workspace, { recursive: true });
  return createDiskComputer({
    workspace,
    stateDirectory: join(directory, "state"),
    sandbox: "required",
    isBare: true,
  });
}

interface StartedBlank extends BlankProcess {
  readonly ended: Promise<void>;
}

async function startBlank(computer: DiskComputer, guest: string): Promise<StartedBlank> {
  const output = new StringDecoder("utf8");
  const isReady = Promise.withResolvers<void>();
  let greeting = "";
  let lastWords = "";
  let isStopped = false;
  let listener: ProcessListener | undefined;
  const program = await computer.startProgram({
    argv: [process.execPath, ...nodeOptions, ...toEval(guest)],
    environment: {},
    reads: [],
    writes: [],
    limits: {
      processes: 32,
      memoryBytes: (ownMb + programLimits.memoryMb) * megabyte,
      fileBytes: megabyte,
    },
    onOutput: (bytes) => {
      const text = output.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      if (listener !== undefined) listener.onOutput(text);
      else {
        greeting = (greeting + text).slice(0, maxLastWords);
        if (greeting === ready) isReady.resolve();
      }
      return undefined;
    },
    onErrors: (bytes) => {
      lastWords = (lastWords + Buffer.from(bytes).toString("utf8")).slice(-maxLastWords);
      return undefined;
    },
  });
  const ended = program.ended.then(({ exitCode, signal }): void => {
    if (!isStopped) listener?.onEnd({ exitCode, signal, lastWords });
  });
  program.keepAlive(true);
  void program.write(`${JSON.stringify({ realm } satisfies RealmMessage)}\n`).catch(() => {});
  const timer = setTimeout(() => void program.stop(), startTimeoutMs);
  const hasStarted = await Promise.race([
    isReady.promise.then(() => true),
    ended.then(() => false),
  ]);
  clearTimeout(timer);
  program.keepAlive(false);
  if (!hasStarted) {
    throw new ToolError(
      "unavailable",
      `The process for programs ended before it was ready. ${lastWords.trim().slice(-500)}`.trim(),
    );
  }
  return {
    ended,
    listen: (given) => {
      listener ??= given;
      program.keepAlive(true);
    },
    write: (line) => program.write(`${line}\n`),
    stop: async () => {
      isStopped = true;
      await program.stop();
    },
  };
}

const realm = furnishRealm.toString();
const ownGuest = besideFile(import.meta.url, "program-guest");

const nodeOptions = [
  "--permission",
  "--disallow-code-generation-from-strings",
  `--max-old-space-size=${programLimits.memoryMb}`,
  "--max-semi-space-size=1",
  "--v8-pool-size=1",
  "--disable-warning=ExperimentalWarning",
];

function toEval(guest: string): string[] {
  const source = readSmallFile(guest);
  const type = extname(guest) === ".ts" ? "module-typescript" : "module";
  if (source !== undefined) return [`--input-type=${type}`, "--eval", source];
  throw new ToolError("unavailable", `${guest} is missing. Install Haft again.`);
}
