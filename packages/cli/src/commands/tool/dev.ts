import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readUntrustedFile } from "@haft/computer/internal";
import { isPlainObject, toErrorMessage } from "@haft/contract/internal";
import type { BuiltProject, ProjectRunner } from "@haft/platform/internal";
import type { CommandInput } from "../../command.ts";
import { toCliWords } from "../../environments/cli-words.ts";
import { optionTexts, splitPair } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { UsageError } from "../../usage-error.ts";
import { listProjectFiles } from "./project/push-project.ts";
import { watchFolders } from "./project/watch-folders.ts";
import { readSecretPair } from "./secret-value.ts";
import { createRoundPrinter, type Example, type Round, type Tried } from "./show-round.ts";

const maxFileBytes = 20 * 1024 * 1024;

/** `haft tool dev`: runs a project's examples in the sandbox, again after every change. */
export async function developTool(input: CommandInput, io: Io): Promise<number> {
  const [folder = "."] = input.positionals;
  const directory = resolve(io.directory, folder);
  const variables = readVariables(input, io);
  const given = optionTexts(input, "input").map((path) => resolve(io.directory, path));
  const missing = given.find((path) => !existsSync(path));
  if (missing !== undefined) throw new UsageError(`--input: there is no file ${missing}.`);
  if ((await readFiles(directory, io)).get("tool.json") === undefined) {
    throw new UsageError(
      `${directory} has no tool.json. Name a tool's folder: haft tool dev DIR. To create one: haft tool init NAME`,
    );
  }
  const { openProjectRunner } = await import("@haft/platform/internal");
  const scratch = mkdtempSync(join(tmpdir(), "haft-dev-"));
  const runner = openProjectRunner(scratch);
  const print = createRoundPrinter(input, io);
  const attempt = async (files: Files, signal: AbortSignal): Promise<boolean> => {
    const examples = readExamples(files, given);
    const round = await runRound({ runner, files, variables, examples, signal });
    if (signal.aborted) return false;
    print(round);
    return round.tried?.every(({ succeeded }) => succeeded) ?? false;
  };
  try {
    if (input.options.once === true) {
      return (await attempt(await readFiles(directory, io), io.signal)) ? 0 : 1;
    }
    await repeat({ directory, given, attempt }, input, io);
    return 0;
  } finally {
    await runner.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Files = ReadonlyMap<string, Uint8Array>;

interface Work {
  readonly directory: string;
  readonly given: readonly string[];
  attempt(files: Files, signal: AbortSignal): Promise<boolean>;
}

/** Makes a round whenever files have changed, until the person stops. A change stops the round before. */
async function repeat(
  { directory, given, attempt }: Work,
  input: CommandInput,
  io: Io,
): Promise<void> {
  let before = "";
  let stop = new AbortController();
  let round: Promise<unknown> = Promise.resolve();
  while (!io.signal.aborted) {
    const paths = await listProjectFiles(directory, io).catch((error: unknown) => {
      if (io.signal.aborted) return [];
      throw error;
    });
    // Before the files are read, so that no change is missed.
    const changed = watchFolders(directory, [...paths, ...given], io.signal);
    const files = await readFiles(directory, io, paths);
    const now = fingerprint(files, given);
    if (now !== before && !io.signal.aborted) {
      before = now;
      stop.abort();
      await round;
      stop = new AbortController();
      round = attempt(files, AbortSignal.any([stop.signal, io.signal]))
        .catch((error: unknown) => {
          if (!io.signal.aborted) io.error(`haft: ${toErrorMessage(error)}\n`);
        })
        .then(() => {
          const isWaiting = !io.signal.aborted && input.options.json !== true;
          if (isWaiting) io.error("haft: waiting for changes. Stop with Ctrl-C\n");
        });
    }
    await changed;
  }
  await round;
}

function fingerprint(files: Files, given: readonly string[]): string {
  const all = [...files, ...given.map((path) => [path, readBytes(path)] as const)];
  return JSON.stringify(all.map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]));
}

async function readFiles(directory: string, io: Io, paths?: readonly string[]): Promise<Files> {
  const files = new Map<string, Uint8Array>();
  for (const path of paths ?? (await listProjectFiles(directory, io))) {
    const { bytes } = readUntrustedFile(join(directory, path), {
      within: directory,
      maxBytes: maxFileBytes,
    });
    // It was removed, or is a link, which is not published either.
    if (bytes !== undefined) files.set(path, bytes);
  }
  return files;
}

function readBytes(path: string): Uint8Array {
  const found = readUntrustedFile(path, { within: dirname(path), maxBytes: maxFileBytes });
  return found.bytes ?? new Uint8Array();
}

/** Returns the inputs to run: given files, or else those in `examples/`, or else an empty one. */
function readExamples(files: Files, given: readonly string[]): readonly Example[] {
  if (given.length > 0) {
    return given.map((path) => toExample(path, readBytes(path)));
  }
  const found = [...files].filter(([path]) => /^examples\/[^/]+\.json$/u.test(path)).sort();
  if (found.length === 0) return [{ name: "{}", input: {} }];
  return found.map(([path, bytes]) => toExample(path, bytes));
}

function toExample(name: string, bytes: Uint8Array): Example {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    if (isPlainObject(value)) return { name, input: value };
    return { name, problem: "It is not a JSON object." };
  } catch (error) {
    return { name, problem: `It is not valid JSON: ${(error as Error).message}` };
  }
}

async function runRound({
  runner,
  files,
  variables,
  examples,
  signal,
}: {
  readonly runner: ProjectRunner;
  readonly files: Files;
  readonly variables: Parameters<ProjectRunner["build"]>[1];
  readonly examples: readonly Example[];
  readonly signal: AbortSignal;
}): Promise<Round> {
  const started = performance.now();
  const since = (): number => Math.round(performance.now() - started);
  let built: BuiltProject;
  try {
    built = await runner.build(files, variables, signal);
  } catch (error) {
    if (!isProblem(error)) throw error;
    const message = error.message.replace(/ Fix [^.]* and publish again\./u, "");
    return { buildMs: since(), problem: toCliWords(message) };
  }
  const buildMs = since();
  const tried: Tried[] = [];
  for (const example of examples) {
    if (signal.aborted) break;
    tried.push(await tryExample(built, example, signal));
  }
  return { buildMs, tried };
}

async function tryExample(
  built: BuiltProject,
  { name, input, problem }: Example,
  signal: AbortSignal,
): Promise<Tried> {
  const refused = (error: string): Tried => ({ name, succeeded: false, error, durationMs: 0 });
  if (input === undefined) return refused(problem ?? "");
  try {
    const result = await built.run(input as Parameters<BuiltProject["run"]>[0], signal);
    const { durationMs, printed } = result;
    const ran = { name, durationMs: Math.round(durationMs), ...(printed && { printed }) };
    if (result.succeeded) return { ...ran, succeeded: true, output: result.output };
    const { exceptionType, exceptionMessage, exceptionStackTrace } = result;
    const lines = [`${exceptionType}: ${exceptionMessage}`, ...exceptionStackTrace];
    return { ...ran, succeeded: false, error: lines.join("\n") };
  } catch (error) {
    if (!isProblem(error)) throw error;
    return refused(error.message);
  }
}

function isProblem(error: unknown): error is Error {
  return error instanceof Error && ["Problem", "InvalidRequest"].includes(error.name);
}

function readVariables(input: CommandInput, io: Io): Parameters<ProjectRunner["build"]>[1] {
  const secrets = optionTexts(input, "secret-env");
  return {
    envvars: Object.fromEntries(optionTexts(input, "env").map((word) => splitPair(word, "--env"))),
    secretEnvvars: Object.fromEntries(
      secrets.map((word) => readSecretPair(word, "--secret-env", io)),
    ),
  };
}
