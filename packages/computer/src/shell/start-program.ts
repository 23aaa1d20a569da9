import { parseAllowedHost } from "../net/allowed-host.ts";
import { commandEnvironment } from "./command-environment.ts";
import { type Confinement, findConfiner } from "./confine-run.ts";
import { findProgramPlaces } from "./program-places.ts";
import { runWithInput } from "./run-with-input.ts";
import type { ProgramStart, StartedProgram } from "./started-program.ts";

/**
 * Starts a program that goes on for as long as it is talked with. Unlike commands it reaches the
 * hosts of its own order only, and gets no variable that a person passed to commands.
 */
export async function startProgram(
  start: ProgramStart,
  { mode, place: usual }: Pick<Confinement, "mode" | "place">,
): Promise<StartedProgram> {
  const { argv, environment = {}, hosts = [] } = start;
  const [, ...args] = argv;
  const allowedHosts = hosts.map(parseAllowedHost);
  const { program, place, ...places } = findProgramPlaces(start, usual);
  const wanted = start.sandbox ?? mode;
  const strict = start.isUntrusted && wanted === "auto" ? "required" : wanted;
  const confiner = await findConfiner({ mode: strict, place, allowedHosts });
  const ready = await confiner.prepare({
    run: { argv: [program, ...args] },
    ...places,
    environment: { ...inherit(start), ...environment },
    ...(environment.HOME !== undefined && { home: environment.HOME }),
    hosts: allowedHosts.map(({ host }) => host),
    ...(start.limits !== undefined && { limits: start.limits }),
    ...(start.onlyPublic !== undefined && { onlyPublic: start.onlyPublic }),
    usesProxy: start.hosts !== undefined,
  });
  const running = await runWithInput({ ready, broker: confiner.broker }, start);
  return { isolation: confiner.isolation, warning: confiner.warning, ...running };
}

function inherit({ startsBare }: ProgramStart): Record<string, string> {
  if (startsBare !== true) return commandEnvironment(process.env, []);
  return process.env.PATH === undefined ? {} : { PATH: process.env.PATH };
}
