import { dirname } from "node:path";
import type { DiskComputer } from "@haft/computer";
import { toPlainLine } from "../mcp-client/text/plain-text.ts";
import { readDescription } from "./description/read-description.ts";
import type { ToolDescription } from "./description/tool-description.ts";
import type { ToolboxScript } from "./toolbox-script.ts";

const patienceMs = 5_000;
const mostBytes = 256 * 1024;
const longestComplaint = 300;

/**
 * Asks a script what it does, in the sandbox, where it reaches nobody and changes nothing. What is
 * wrong with it is a text, to be said behind its path. Throws a `ToolError` if
 * no program can be run at all.
 */
export async function describeScript(
  { file, isForeign }: ToolboxScript,
  computer: Pick<DiskComputer, "startProgram">,
): Promise<ToolDescription | string> {
  const output = new Kept();
  const complaint = new Kept();
  const starting = computer.startProgram({
    argv: [file],
    environment: { TOOLBOX_ACTION: "describe", AGENT: "haft" },
    reads: [dirname(file)],
    writes: [],
    isUntrusted: isForeign,
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
  }, patienceMs);
  const { exitCode, signal } = await program.ended;
  clearTimeout(timer);
  if (isLate) {
    return `did not say what it does within ${patienceMs / 1000} seconds, and was ended`;
  }
  if (output.isFull) return `printed more than ${mostBytes} bytes when asked what it does`;
  if (exitCode !== 0) {
    const how = exitCode === undefined ? `was ended by ${signal}` : `exited with ${exitCode}`;
    const said = toPlainLine(complaint.text(), longestComplaint);
    return `${how} when asked what it does${said === "" ? "" : `: ${said}`}`;
  }
  return readDescription(output.text());
}

/** The first bytes of a stream. */
class Kept {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  get isFull(): boolean {
    return this.#size > mostBytes;
  }

  /** Says whether it still fits. */
  add(bytes: Uint8Array): boolean {
    this.#size += bytes.length;
    if (!this.isFull) this.#chunks.push(bytes);
    return !this.isFull;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}
