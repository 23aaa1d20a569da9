import { isAbsolute } from "node:path";
import {
  type AppliedChanges,
  type Grant,
  type ProgramRun,
  type Shell,
  ToolError,
} from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import type { CommandReading, RunScope } from "@haft/core";
import { findLanding } from "../disk/landing.ts";
import { type LayerContext, type LayeredRun, openLayeredRun } from "../layers/run-on-layer.ts";
import { isExecutableFile, listPathDirectories } from "../paths/find-on-path.ts";
import { outOfScope } from "../paths/path-errors.ts";
import { findExecutable } from "../sandbox/linux/find-executable.ts";
import {
  type Confinement,
  type Confiner,
  findConfiner,
  type RunRequest,
  warnOfRules,
} from "./confine-run.ts";
import { executeCommand } from "./execute-command.ts";
import { findProgram, isForeign } from "./find-program.ts";
import { toGrantedAccess } from "./granted-access.ts";
import { openJobs } from "./jobs/open-jobs.ts";
import type { SessionJobs } from "./jobs/session-jobs.ts";
import type { SupervisedJob } from "./jobs/supervised-job.ts";
import { judgeDirectory, judgeWorkingDirectory } from "./judge-directory.ts";
import { requireCommand } from "./require-command.ts";
import { runProgram } from "./run-program.ts";
import { widenContext } from "./widen-context.ts";

/** What a shell needs to run programs. */
export interface ShellContext {
  readonly roots: readonly string[];
  /** See `ComputerShellOptions`. */
  readonly repositories: readonly string[];
  resolve(path: string): string;
  readonly confinement: Confinement;
  /** The part of this process's environment that programs get. */
  environment(): Readonly<Record<string, string>>;
  readCommand(command: string, cwd: string): CommandReading;
  /** The background jobs of a session. */
  jobsOf(session: string): SessionJobs;
  /** How long a command must be silent and idle before it counts as waiting for a person. */
  readonly silenceMs?: number;
  /** What layers of commands need. Default: commands run on the workspace itself. */
  readonly layers?: LayerContext | undefined;
}

const defaultMaxOutputBytes = 64 * 1024 * 1024;
const defaultSilenceMs = 3_000;

/** Runs programs on this machine, scoped to one call. */
export function openDiskShell(scope: RunScope, place: ShellContext): Shell {
  const { grant } = scope;
  const isOwn = (path: string): boolean => place.roots.some((root) => isInside(root, path));
  const directories = {
    grant,
    roots: [...place.roots, ...place.repositories],
    resolve: (path: string) => place.resolve(path),
  };
  const find = async (
    program: string,
    searchFirst: readonly string[] = [],
  ): Promise<string | undefined> => {
    const first = searchFirst.map((directory) => judgeDirectory(directory, directories));
    const isConfined =
      first.every(isOwn) || (await findConfiner(place.confinement)).isolation === "sandbox";
    return findProgram(program, [
      ...(isConfined ? first : first.filter(isOwn)),
      ...listPathDirectories(process.env.PATH).filter((path) => !isForeign(path, place.roots)),
    ]);
  };

  return {
    find,
    run: async (program) => {
      const { argv, input, maxOutputBytes = defaultMaxOutputBytes } = program;
      const [name, ...args] = argv;
      if (!grant.mayRun(argv)) {
        throw new ToolError("out-of-scope", `This call may not run ${argv.join(" ")}.`);
      }
      const isPath = isAbsolute(name) && grant.mayRead(name);
      const path = isPath ? judgeProgram(name, grant) : await find(name, program.searchFirst);
      if (path === undefined) {
        throw new ToolError("unavailable", `${name} is not installed or not on the PATH.`);
      }
      const places = narrowPlaces(program, scope, place);
      const request: RunRequest = {
        run: { argv: [path, ...args] },
        cwd: judgeWorkingDirectory(program.cwd ?? ".", directories),
        environment: { ...place.environment(), ...program.environment },
        usesProxy: program.hosts !== undefined,
        fileRules: scope.fileRules(),
        ...places,
      };
      const confiner = await confine(scope, place, isPath ? places : undefined);
      if (confiner.isolation !== "sandbox" && !isOwn(request.cwd)) throw notConfined(request.cwd);
      const { applies } = program;
      const isReported = applies !== "none" && findWorkspace(request, place).length > 0;
      const layered = await openLayer(request, confiner, { scope, place, applies });
      const direct = applies === "none" ? { ...request, writable: [] } : request;
      const order = layered === undefined ? direct : { ...request, layer: layered.layer };
      const run = { name, request: order, confiner, input, maxOutputBytes, layered, isReported };
      return runProgram(run, scope).finally(() => layered?.close());
    },
    execute: async (run) => {
      const [ordered, confiner] = await orderCommand(run, scope, place);
      // What is reviewed afterwards must not reach anything before.
      const { isReviewed } = scope;
      const joined = isReviewed ? ordered : await joinJobs(ordered, scope, place);
      const silenceMs = place.silenceMs ?? defaultSilenceMs;
      const readsOnly = !isReviewed && place.readCommand(run.command, joined.cwd).readsOnly;
      const { applies } = run;
      const layered = readsOnly
        ? undefined
        : await openLayer(joined, confiner, { scope, place, applies });
      if (isReviewed && !isHarmless(joined, confiner, layered)) {
        await layered?.close();
        throw notReviewable();
      }
      const request = layered === undefined ? joined : { ...joined, layer: layered.layer };
      const adopt = (command: SupervisedJob): boolean => place.jobsOf(scope.session).adopt(command);
      return executeCommand(
        { run, request, confiner, silenceMs, layered, readsOnly, adopt },
        scope,
      );
    },
    jobs: openJobs(scope, {
      jobs: () => place.jobsOf(scope.session),
      order: async (command, cwd) => {
        const [request, { isolation }] = await orderCommand({ command, cwd }, scope, place);
        // A job works on the workspace itself, so that others see what it does.
        scope.commandEnded(undefined);
        // The keeper of the job sandboxes it exactly as decided here, or does not run it.
        const mode = isolation === "sandbox" ? "required" : "off";
        return { command, request, confinement: { ...place.confinement, mode } };
      },
    }),
  };
}

/** Checks a command line, what it would run and where, and returns how to run it. */
export async function orderCommand(
  { command, cwd = "." }: { readonly command: string; readonly cwd?: string | undefined },
  scope: RunScope,
  place: ShellContext,
): Promise<[RunRequest, Confiner]> {
  if (process.platform === "win32") throw noBash();
  const { grant } = scope;
  const { roots } = place;
  const resolve = (path: string): string => place.resolve(path);
  const directory = judgeWorkingDirectory(cwd, { grant, roots, resolve });
  requireCommand(command, place.readCommand(command, directory), grant);
  const environment = place.environment();
  const fileRules = scope.fileRules();
  const request = { run: { command }, cwd: directory, environment, usesProxy: false, fileRules };
  const access = toGrantedAccess(grant, place.repositories);
  return [{ ...request, ...access }, await confine(scope, place, access)];
}

interface LayerOptions {
  readonly scope: RunScope;
  readonly place: ShellContext;
  readonly applies: AppliedChanges | undefined;
}

/** Opens a layer of the workspace for a run that writes to it, if there can be one. */
async function openLayer(
  request: Pick<RunRequest, "writable">,
  confiner: Confiner,
  { scope, place, applies = "all" }: LayerOptions,
): Promise<LayeredRun | undefined> {
  const { layers } = place;
  const layered = findWorkspace(request, place);
  if (layers === undefined || layered.length === 0 || !(await confiner.canLayer())) {
    return undefined;
  }
  const perl = findExecutable("perl", place.confinement.place);
  if (perl === undefined) return undefined;
  return openLayeredRun(layered, scope, { ...layers, perl, applies });
}

/** The directories of the workspace that a run can write to. */
function findWorkspace(
  { writable }: Pick<RunRequest, "writable">,
  { roots }: Pick<ShellContext, "roots">,
): readonly string[] {
  return writable.filter((path) => roots.some((root) => isInside(root, path)));
}

/** Lets a command reach the ports of the session's jobs. */
async function joinJobs(
  request: RunRequest,
  { session }: RunScope,
  place: ShellContext,
): Promise<RunRequest> {
  const network = await place.jobsOf(session).network();
  return network === undefined ? request : { ...request, network };
}

/** A program that the grant allows to read, by its full path. */
function judgeProgram(path: string, grant: Pick<Grant, "mayRead">): string | undefined {
  const landing = findLanding(path);
  if (!grant.mayRead(landing)) throw outOfScope(path, "read");
  return isExecutableFile(landing) ? landing : undefined;
}

/** Finds what confines a run. Only root could open `shown`, directories outside the workspace. */
async function confine(
  scope: RunScope,
  { confinement }: Pick<ShellContext, "confinement">,
  shown: Pick<RunRequest, "readable" | "writable"> = { readable: [], writable: [] },
): Promise<Confiner> {
  const place = widenContext(confinement.place, shown);
  const confiner = await findConfiner({ ...confinement, place });
  const warnings = [confiner.warning, warnOfRules(confiner, scope.fileRules())];
  for (const warning of warnings.filter((each) => each !== undefined)) {
    const known = warned.get(confinement) ?? new Set();
    if (!known.has(warning)) scope.warn(warning);
    warned.set(confinement, known.add(warning));
  }
  scope.confined(confiner.isolation);
  return confiner;
}

// Shown once per session, not with every command.
const warned = new WeakMap<Confinement, Set<string>>();

/** What a program gets of the grant: the hosts it names, and all directories unless it names some. */
function narrowPlaces(
  { hosts = [], writes }: ProgramRun,
  { grant }: RunScope,
  place: ShellContext,
): Pick<RunRequest, "readable" | "writable" | "hosts" | "hidden"> {
  const refused = hosts.find((host) => !grant.mayReach(host));
  if (refused !== undefined) {
    throw new ToolError("out-of-scope", `This call may not reach ${refused}.`);
  }
  const { writable, ...access } = toGrantedAccess(grant, place.repositories);
  if (writes === undefined) return { ...access, writable, hosts };
  const wanted = writes.map((path) => {
    const landing = findLanding(place.resolve(path));
    if (writable.some((directory) => isInside(directory, landing))) return landing;
    throw outOfScope(path, "change");
  });
  return { ...access, writable: wanted, hosts };
}

/** Tells whether a run can change nothing until its layer is applied, and reaches no other program. */
function isHarmless(
  { hosts, network, writable }: RunRequest,
  { isolation }: Confiner,
  layered: LayeredRun | undefined,
): boolean {
  if (isolation !== "sandbox" || hosts.length > 0 || network !== undefined) return false;
  const covered = layered?.layer.roots ?? [];
  return writable.every((path) => covered.some((root) => isInside(root.path, path)));
}

function notReviewable(): ToolError {
  return new ToolError(
    "unavailable",
    "Not run: this command was to run on a layer without network and its changes to be judged afterwards, but that is no longer possible. Call again to be asked before it runs; `haft doctor` says what layers need.",
  );
}

function notConfined(directory: string): ToolError {
  return new ToolError(
    "unavailable",
    `Not run: ${directory} is above the workspace, where programs run only in a sandbox, and none is available. \`haft doctor\` says why. Or open ${directory} as the workspace.`,
    { absolutePath: directory },
  );
}

function noBash(): ToolError {
  return new ToolError(
    "unavailable",
    "Commands need bash, which Windows does not have. Run Haft inside WSL instead.",
  );
}
