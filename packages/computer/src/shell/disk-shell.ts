import { isAbsolute } from "node:path";
import { type Grant, type ProgramRun, type Shell, ToolError } from "@haft/contract";
import type { CommandReading, RunScope } from "@haft/core";
import { findLanding } from "../disk/landing.ts";
import { outOfScope } from "../paths/path-errors.ts";
import { isInside } from "../paths/path-parts.ts";
import { type Confinement, type Confiner, findConfiner, type RunRequest } from "./confine-run.ts";
import { executeCommand } from "./execute-command.ts";
import { canRun, findProgram, isForeign, systemDirectories } from "./find-program.ts";
import { grantedPlaces } from "./granted-places.ts";
import type { JobBook } from "./jobs/job-book.ts";
import { openJobs } from "./jobs/open-jobs.ts";
import { judgeDirectory, judgeWorkingDirectory } from "./judge-directory.ts";
import { requireCommand } from "./require-command.ts";
import { runProgram } from "./run-program.ts";
import { widenPlace } from "./widen-place.ts";

/** Where a shell runs its programs. */
export interface ShellPlace {
  readonly roots: readonly string[];
  resolve(path: string): string;
  readonly confinement: Confinement;
  /** What programs get of this process's environment. */
  environment(): Readonly<Record<string, string>>;
  readCommand(command: string, cwd: string): CommandReading;
  /** The background commands of a session. */
  jobsOf(session: string): JobBook;
  /** How long a command has to be silent, and do nothing, before it is taken to wait for a person. */
  readonly silenceMs?: number;
}

const mostOutputBytes = 64 * 1024 * 1024;
const defaultSilenceMs = 3_000;

/** The programs of this machine, scoped to one call. */
export function openDiskShell(scope: RunScope, place: ShellPlace): Shell {
  const { grant } = scope;
  const directories = { grant, roots: place.roots, resolve: (path: string) => place.resolve(path) };
  const find = (program: string, searchFirst: readonly string[] = []): string | undefined =>
    findProgram(program, [
      ...searchFirst.map((directory) => judgeDirectory(directory, directories)),
      ...systemDirectories(process.env.PATH).filter((path) => !isForeign(path, place.roots)),
    ]);

  /** Judges a command line: what it would run, and where. */
  const order = async (command: string, cwd = "."): Promise<[RunRequest, Confiner]> => {
    if (process.platform === "win32") throw noBash();
    const directory = judgeWorkingDirectory(cwd, directories);
    requireCommand(command, place.readCommand(command, directory), grant);
    const environment = place.environment();
    const request = { run: { command }, cwd: directory, environment, usesProxy: false };
    return [{ ...request, ...grantedPlaces(grant) }, await confine(scope, place)];
  };

  return {
    find: async (program, searchFirst) => find(program, searchFirst),
    run: async (program) => {
      const { argv, input, maxOutputBytes = mostOutputBytes } = program;
      const [name, ...args] = argv;
      if (!grant.mayRun(argv)) {
        throw new ToolError("out-of-scope", `This call may not run ${argv.join(" ")}.`);
      }
      const isPath = isAbsolute(name) && grant.mayRead(name);
      const path = isPath ? judgeProgram(name, grant) : find(name, program.searchFirst);
      if (path === undefined) {
        throw new ToolError("unavailable", `${name} is not installed, or not on the search path.`);
      }
      const places = narrowPlaces(program, scope, place);
      const request: RunRequest = {
        run: { argv: [path, ...args] },
        cwd: judgeWorkingDirectory(program.cwd ?? ".", directories),
        environment: { ...place.environment(), ...program.environment },
        usesProxy: program.hosts !== undefined,
        ...places,
      };
      const confiner = await confine(scope, isPath ? widen(place, places) : place);
      const warn = (message: string): void => scope.warn(message);
      return runProgram({ name, request, confiner, input, maxOutputBytes, warn }, scope.signal);
    },
    execute: async (run) => {
      const [ordered, confiner] = await order(run.command, run.cwd);
      const request = await joinJobs(ordered, scope, place);
      const silenceMs = place.silenceMs ?? defaultSilenceMs;
      return executeCommand({ run, request, confiner, silenceMs }, scope);
    },
    jobs: openJobs(scope, {
      book: () => place.jobsOf(scope.session),
      order: async (command, cwd) => {
        const [request, { isolation }] = await order(command, cwd);
        // Whoever keeps the job confines it as it was said here, or not at all.
        const mode = isolation === "sandbox" ? "required" : "off";
        return { command, request, confinement: { ...place.confinement, mode } };
      },
    }),
  };
}

/** Lets a command reach the ports of the session's jobs. */
async function joinJobs(
  request: RunRequest,
  { session }: RunScope,
  place: ShellPlace,
): Promise<RunRequest> {
  const network = await place.jobsOf(session).network();
  return network === undefined ? request : { ...request, network };
}

/** A program that the grant lets be read, where it lies. */
function judgeProgram(path: string, grant: Pick<Grant, "mayRead">): string | undefined {
  const landing = findLanding(path);
  if (!grant.mayRead(landing)) throw outOfScope(path, "read");
  return canRun(landing) ? landing : undefined;
}

/** The same place, with what lies outside the workspace and only root could open. */
function widen(place: ShellPlace, places: Pick<RunRequest, "readable" | "writable">): ShellPlace {
  const { confinement } = place;
  const widened = widenPlace(confinement.place, places);
  if (widened === confinement.place) return place;
  return { ...place, confinement: { ...confinement, place: widened } };
}

async function confine(
  scope: RunScope,
  { confinement }: Pick<ShellPlace, "confinement">,
): Promise<Confiner> {
  const confiner = await findConfiner(confinement);
  if (confiner.warning !== undefined && !warned.has(confinement)) {
    warned.add(confinement);
    scope.warn(confiner.warning);
  }
  scope.confined(confiner.isolation);
  return confiner;
}

// A person has to be told once, not with every command.
const warned = new WeakSet<Confinement>();

/** What a program gets of the grant: of hosts those it names, of directories all unless it says. */
function narrowPlaces(
  { hosts = [], writes }: ProgramRun,
  { grant }: RunScope,
  place: ShellPlace,
): Pick<RunRequest, "readable" | "writable" | "hosts"> {
  const refused = hosts.find((host) => !grant.mayReach(host));
  if (refused !== undefined) {
    throw new ToolError("out-of-scope", `This call may not reach ${refused}.`);
  }
  const { readable, writable } = grantedPlaces(grant);
  if (writes === undefined) return { readable, writable, hosts };
  const wanted = writes.map((path) => {
    const landing = findLanding(place.resolve(path));
    if (writable.some((directory) => isInside(directory, landing))) return landing;
    throw outOfScope(path, "change");
  });
  return { readable, writable: wanted, hosts };
}

function noBash(): ToolError {
  return new ToolError(
    "unavailable",
    "Commands need bash, and on Windows there is none. Run Haft inside WSL instead.",
  );
}
