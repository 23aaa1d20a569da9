import type { ChildProcess } from "node:child_process";
import type { Duplex, Writable } from "node:stream";
import type { LaunchDescriptor, LaunchReport } from "../sandbox/launch-plan.ts";

/** The other ends of a launched process's extra descriptors. */
export interface AttachedDescriptors {
  /** Its report, complete once the process has ended. */
  reported(): Promise<LaunchReport["left"]>;
}

// How long after the end of a process something else may still hold its report open.
const patienceMs = 200;
const maxReportCharacters = 1024 * 1024;

/**
 * Writes to and reads from the descriptors of a process. `contain` is called with the process that it
 * launched, and returns whether that one may continue.
 */
export function attachDescriptors(
  child: ChildProcess,
  descriptors: readonly LaunchDescriptor[],
  contain: (pid: number) => boolean,
): AttachedDescriptors {
  const blocks: Writable[] = [];
  const reports: Promise<string>[] = [];
  const onPid = (pid: number): void => {
    // Without this byte it waits, and ends there.
    if (contain(pid)) for (const block of blocks) block.end("x");
  };
  for (const [index, descriptor] of descriptors.entries()) {
    if (descriptor.role === "place") continue;
    const stream = child.stdio[index + 3] as Duplex;
    // A process need not read its input.
    stream.on("error", () => {});
    switch (descriptor.role) {
      case "content":
        stream.resume().end(Buffer.from(descriptor.base64, "base64"));
        break;
      case "block":
        blocks.push(stream.resume());
        break;
      case "info":
        readInfo(stream, onPid);
        break;
      case "report":
        reports.push(readReport(child, stream));
    }
  }
  return {
    reported: async () => (await Promise.all(reports)).flatMap((text) => parseReport(text)),
  };
}

function readInfo(stream: Duplex, onPid: (pid: number) => void): void {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (part: string) => {
    text += part;
    const pid = /"child-pid":\s*(\d+)\s*[,}]/u.exec(text)?.[1];
    if (pid === undefined) return;
    stream.removeAllListeners("data").resume();
    onPid(Number(pid));
  });
}

function readReport(child: ChildProcess, stream: Duplex): Promise<string> {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (part: string) => {
    if (text.length < maxReportCharacters) text += part;
  });
  return new Promise((resolve) => {
    const end = (): void => resolve(text);
    stream.once("close", end);
    child.once("exit", () => setTimeout(end, patienceMs));
  });
}

// Its writer runs beside the command, and is trusted no more than the command.
function parseReport(text: string): LaunchReport["left"] {
  return text.split("\n").flatMap((line) => {
    try {
      const { left } = JSON.parse(line) as LaunchReport;
      return left.map(({ pid, command, ports }) => ({
        pid: Number(pid),
        command: String(command),
        ports: Array.from(ports, Number),
      }));
    } catch {
      return [];
    }
  });
}
