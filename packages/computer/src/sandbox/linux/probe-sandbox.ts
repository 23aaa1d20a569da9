import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { Sandbox } from "../sandbox.ts";
import type { ProbeLaunch } from "../sandbox-place.ts";
import { explainFailure, type Obstacle } from "./explain-failure.ts";
import type { Machine } from "./machine.ts";
import { probeScript } from "./probe-script.ts";

/** What a probe needs beside the sandbox. */
export interface ProbeContext {
  readonly machine: Machine;
  readonly launch: ProbeLaunch;
  /** What a launcher is started through. */
  readonly prefix: readonly string[];
}

/** Tries to get out of a sandbox. `undefined` if that can't be done, else why it is none. */
export async function probeSandbox(
  sandbox: Sandbox,
  { machine, launch, prefix }: ProbeContext,
): Promise<Obstacle | undefined> {
  const { bash = "bash", files, place } = machine;
  // Somebody must be there to be reached.
  const listener = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  try {
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    const { plan } = await sandbox.prepare({
      run: { argv: [bash, "--norc", "--noprofile", "-p", "-c", probeScript, "probe", `${port}`] },
      cwd: files.probe,
      environment: { PATH: place.searchPath ?? "" },
      readable: [],
      writable: [files.probe],
    });
    return judge((await launch(plan)).output);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return explainFailure(`${message}\n${askPrefix(prefix)}`);
  } finally {
    listener.close();
  }
}

function judge(output: string): Obstacle | undefined {
  const escapes = [...output.matchAll(/^escaped: (.*)$/gmu)].map(([, what]) => what);
  if (escapes.length > 0) {
    return {
      reason: `the sandbox does not hold: ${escapes.join("; ")}`,
      remedy: "Please report this, with `bwrap --version` and `uname -a`.",
    };
  }
  const isWhole = /^done$/mu.test(output) && !/^failed: /mu.test(output);
  return isWhole ? undefined : explainFailure(output);
}

// Whoever could not start a launcher need not have heard what it was started through say.
function askPrefix([program, ...args]: readonly string[]): string {
  if (program === undefined) return "";
  return spawnSync(program, [...args, "/bin/true"], { encoding: "utf8", timeout: 5_000 }).stderr;
}
