import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Finding } from "./finding.ts";

/** A program that Haft uses where there is one. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly use: string;
  readonly remedy: string;
}

/** Asks a program for its version. */
export async function checkProgram({ name, command, use, remedy }: Program): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)(command, ["--version"], { timeout: 5_000 });
    const detail = `${stdout.split("\n", 1)[0]?.trim() ?? ""} (for ${use})`;
    return { name, found: true, required: false, detail };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const detail = missing ? `${command} is not installed (for ${use})` : (error as Error).message;
    return { name, found: false, required: false, detail, remedy };
  }
}
