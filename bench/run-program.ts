import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a program to its end and takes what it prints. */
export async function runProgram(
  program: string,
  args: readonly string[],
  directory: string,
): Promise<Buffer> {
  const child = spawn(program, args, { cwd: directory, stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  return Buffer.concat(chunks);
}
