import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { toErrorMessage } from "@haft/contract/internal";
import type { Sandbox } from "../sandbox.ts";
import type { ProbeLaunch } from "../sandbox-context.ts";
import { explainFailure, type Obstacle } from "./explain-failure.ts";
import type { Machine } from "./machine.ts";
import { probeScript } from "./probe-script.ts";

/** What a probe needs beside the sandbox. */
export interface ProbeContext {
  readonly machine: Machine;
  readonly launch: ProbeLaunch;
  /** The program through which a launcher is started. */
  readonly prefix: readonly string[];
}

/** Tries to escape from a sandbox. `undefined` if that fails, else why the sandbox is unusable. */
export async function probeSandbox(
  sandbox: Pick<Sandbox, "prepare">,
  { machine, launch, prefix }: ProbeContext,
): Promise<Obstacle | undefined> {
  const { shell, files, place } = machine;
  // A server to be reached from inside.
  const listener = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  try {
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    const { plan } = await sandbox.prepare({
      run: { argv: [shell, "-c", probeScript, "probe", `${port}`, toTableEntry(port)] },
      cwd: files.probe,
      environment: { PATH: place.searchPath ?? "" },
      readable: [],
      writable: [files.probe],
    });
    return judge((await launch(plan)).output);
  } catch (error) {
    const message = toErrorMessage(error);
    return explainFailure(`${message}\n${askPrefix(prefix)}`);
  } finally {
    listener.close();
  }
}

/** Returns how a listening port is written in the kernel's table of connections. */
function toTableEntry(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, "0")} 0A`;
}

function judge(output: string): Obstacle | undefined {
  const escapes = [...output.matchAll(/^escaped: (.*)$/gmu)].map(([, what]) => what);
  if (escapes.length > 0) {
    return {
      reason: `the sandbox is not secure: ${escapes.join("; ")}`,
      remedy: "Please report this, with `bwrap --version` and `uname -a`.",
    };
  }
  const isWhole = /^done$/mu.test(output) && !/^failed: /mu.test(output);
  return isWhole ? undefined : explainFailure(output);
}

// If the launcher could not be started, the output of its own starter may be missing.
function askPrefix([program, ...args]: readonly string[]): string {
  if (program === undefined) return "";
  return spawnSync(program, [...args, "/bin/true"], { encoding: "utf8", timeout: 5_000 }).stderr;
}
