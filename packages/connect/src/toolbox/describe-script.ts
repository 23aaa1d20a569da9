import { dirname } from "node:path";
import type { DiskComputer } from "@haft/computer";
import { toPlainLine } from "@haft/core/internal";
import { readDescription } from "./description/read-description.ts";
import type { ToolDescription } from "./description/tool-description.ts";
import type { ToolboxScript } from "./toolbox-script.ts";

const timeoutMs = 5_000;
const maxBytes = 256 * 1024;
const maxComplaintLength = 300;

/**
 * Asks a script for its description, in the sandbox without network and without write access.
 * Returns a string that says what is wrong, to follow the script's path. Throws a `ToolError` if no
 * program can be run at all.
 */
export async function describeScript(
  { file, within }: ToolboxScript,
  computer: Pick<DiskComputer, "startProgram">,
): Promise<ToolDescription | string> {
  const output = new LimitedOutput();
  const complaint = new LimitedOutput();
  const starting = computer.startProgram({
    argv: [file],
    environment: { TOOLBOX_ACTION: "describe", AGENT: "haft" },
    reads: [dirname(file)],
    writes: [],
    isUntrusted: within !== undefined,
    onOutput: (bytes) => {
      if (!output.add(bytes)) void starting.then((program) => program.stop());
      return undefined;
    },
    onErrors: (bytes) => {
      complaint.add(bytes);
      return undefined;
    },
  });
  const program = await starting;
  program.keepAlive(true);
  program.endInput();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void program.stop();
  }, timeoutMs);
  const { exitCode, signal } = await program.ended;
  clearTimeout(timer);
  if (isLate) {
    return `did not print its description within ${timeoutMs / 1000} seconds and was stopped`;
  }
  if (output.isFull) return `printed more than ${maxBytes} bytes when asked for its description`;
  if (exitCode !== 0) {
    const how = exitCode === undefined ? `was killed by ${signal}` : `exited with ${exitCode}`;
    const said = toPlainLine(complaint.text(), maxComplaintLength);
    return `${how} when asked for its description${said === "" ? "" : `: ${said}`}`;
  }
  return readDescription(output.text());
}

/** The first bytes of a stream. */
class LimitedOutput {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  get isFull(): boolean {
    return this.#size > maxBytes;
  }

  /** Returns whether the bytes still fit. */
  add(bytes: Uint8Array): boolean {
    this.#size += bytes.length;
    if (!this.isFull) this.#chunks.push(bytes);
    return !this.isFull;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
