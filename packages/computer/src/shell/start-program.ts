import { parseAllowedHost } from "../net/allowed-host.ts";
import { commandEnvironment } from "./command-environment.ts";
import { type Confinement, findConfiner, type RunRequest, warnOfRules } from "./confine-run.ts";
import { findProgramPaths } from "./program-paths.ts";
import { runWithInput } from "./run-with-input.ts";
import type { ProgramStart, StartedProgram } from "./started-program.ts";

/**
 * Starts a program that runs for as long as its caller communicates with it. Unlike commands it
 * reaches only the hosts of its own order, and gets no variable that a person passed to commands.
 */
export async function startProgram(
  start: ProgramStart,
  {
    mode,
    place: usual,
    fileRules,
  }: Pick<Confinement, "mode" | "place"> & Pick<RunRequest, "fileRules">,
): Promise<StartedProgram> {
  const { argv, environment = {}, hosts = [] } = start;
  const [, ...args] = argv;
  const allowedHosts = hosts.map(parseAllowedHost);
  const { program, place, ...places } = findProgramPaths(start, usual);
  const wanted = start.sandbox ?? mode;
  const strict = start.isUntrusted && wanted === "auto" ? "required" : wanted;
  const confiner = await findConfiner({ mode: strict, place, allowedHosts });
  const ready = await confiner.prepare({
    run: { argv: [program, ...args] },
    ...places,
    fileRules,
    environment: { ...(place.isBare ? {} : commandEnvironment(process.env, [])), ...environment },
    ...(environment.HOME !== undefined && { home: environment.HOME }),
    hosts: allowedHosts.map(({ host }) => host),
    ...(start.limits !== undefined && { limits: start.limits }),
    ...(start.onlyPublic !== undefined && { onlyPublic: start.onlyPublic }),
    ...(start.refusal !== undefined && { refusal: start.refusal }),
    usesProxy: start.hosts !== undefined,
  });
  const running = await runWithInput({ ready, broker: confiner.broker }, start);
  const warning = confiner.warning ?? warnOfRules(confiner, fileRules);
  return { isolation: confiner.isolation, warning, ...running };
}
