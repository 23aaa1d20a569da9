import { errorCodes } from "@haft/contract";
import { toVisibleText } from "@haft/core/internal";
import { PlatformError } from "@haft/platform/client";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { toCliWords } from "./cli-words.ts";

const failureExitCode = 1;

/** Runs work on a platform. Prints the platform's errors and turns them into an exit code. */
export async function reportPlatformErrors(
  input: CommandInput,
  io: Io,
  run: () => Promise<number>,
): Promise<number> {
  try {
    return await run();
  } catch (error) {
    if (io.signal.aborted) {
      io.error("haft: stopped\n");
      return errorCodes.cancelled.exitCode;
    }
    const told = PlatformError.isInstance(error) ? error : fromProblem(error);
    if (told === undefined) throw error;
    const { status, detail, fields } = told;
    if (input.options.json === true) {
      const more = fields.length === 0 ? {} : { fields };
      printJson({ error: { status, detail, ...more } }, io);
    } else {
      const code = status === 0 ? "" : ` [${status}]`;
      io.error(`haft: ${toVisibleText(toCliWords(detail))}${code}\n`);
    }
    return failureExitCode;
  }
}

// Errors of a store have the same messages as over HTTP.
function fromProblem(error: unknown): PlatformError | undefined {
  if (!(error instanceof Error) || !["Problem", "InvalidRequest"].includes(error.name)) {
    return undefined;
  }
  const { status } = error as { readonly status?: unknown };
  return new PlatformError(typeof status === "number" ? status : 400, error.message);
}
