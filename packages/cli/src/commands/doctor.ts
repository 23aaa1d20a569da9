import { errorCodes } from "@haft/contract";
import { toVisibleText } from "@haft/core";
import type { Command } from "../command.ts";
import { examine } from "../doctor/checks.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { printJson } from "../terminal/print-result.ts";

/** `haft doctor` */
export const doctor: Command = {
  help: `Tell what this machine offers, and the remedy for what is missing.

Usage: haft doctor [--json]

The sandbox is tried out: a program in it tries to write outside, to reach the network and to gain
rights, and if any of that succeeds, there is none.

Exits with ${errorCodes.unavailable.exitCode} if something is missing that Haft can't do without.

${commonHelp}`,
  options: commonOptions,
  run: async (input, io) => {
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
  },
};
