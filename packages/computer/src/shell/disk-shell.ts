import { statSync } from "node:fs";
import { type Shell, ToolError } from "@haft/contract";
import type { CallScope } from "@haft/core";
import { findLanding } from "../disk/landing.ts";
import { notDirectory, outOfScope } from "../paths/path-errors.ts";
import { isInside } from "../paths/path-parts.ts";
import { findProgram, systemDirectories } from "./find-program.ts";
import { runProgram } from "./run-program.ts";
import { scrubEnvironment } from "./scrub-environment.ts";

/** Where a shell runs its programs. */
export interface ShellPlace {
  readonly roots: readonly string[];
  resolve(path: string): string;
}

const mostOutputBytes = 64 * 1024 * 1024;

/** The programs of this machine, scoped to one call. */
export function openDiskShell(scope: CallScope, place: ShellPlace): Shell {
  const find = (program: string, searchFirst: readonly string[] = []): string | undefined =>
    findProgram(program, [
      ...searchFirst.map((directory) => judgeDirectory(directory, scope, place)),
      ...systemDirectories(process.env.PATH),
    ]);
  return {
    find: async (program, searchFirst) => find(program, searchFirst),
    run: async ({ argv, searchFirst, cwd, input, maxOutputBytes = mostOutputBytes }) => {
      const [name, ...args] = argv;
      if (!scope.grant.mayRun(argv)) {
        throw new ToolError("out-of-scope", `This call may not run ${argv.join(" ")}.`);
      }
      const path = find(name, searchFirst);
      if (path === undefined) {
        throw new ToolError("unavailable", `${name} is not installed, or not on the search path.`);
      }
      const directory = judgeDirectory(cwd ?? ".", scope, place);
      if (!isDirectory(directory)) throw notDirectory(directory);
      const environment = scrubEnvironment(process.env);
      return runProgram(
        { path, name, args, cwd: directory, environment, input, maxOutputBytes },
        scope.signal,
      );
    },
  };
}

/** Where a directory of the workspace lies, links resolved. */
function judgeDirectory(path: string, { grant }: CallScope, place: ShellPlace): string {
  const asked = place.resolve(path);
  const landing = findLanding(asked);
  const isGranted = grant.mayRead(asked) && grant.mayRead(landing);
  if (isGranted && place.roots.some((root) => isInside(root, landing))) return landing;
  throw outOfScope(asked, "read");
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
