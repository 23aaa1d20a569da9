import { errorCodes } from "@haft/contract";
import { toVisibleText } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import { examine } from "../doctor/checks.ts";
import type { Io } from "../io.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { printJson } from "../terminal/print-result.ts";

/** `haft doctor` */
export async function runDoctor(input: CommandInput, io: Io): Promise<number> {
  const options = readCommonOptions(input, io);
  const findings = await examine(options, io);
  if (options.json) {
    printJson(findings, io);
  } else {
    const width = Math.max(...findings.map(({ name }) => name.length));
    for (const { name, found, required, detail, remedy } of findings) {
      const mark = found ? "ok     " : required ? "MISSING" : "without";
      io.out(toVisibleText(`${mark}  ${name.padEnd(width)}  ${detail}\n`));
      if (remedy !== undefined) io.out(`${" ".repeat(width + 11)}remedy: ${remedy}\n`);
    }
  }
  const healthy = findings.every(({ found, required }) => found || !required);
  return healthy ? 0 : errorCodes.unavailable.exitCode;
}
