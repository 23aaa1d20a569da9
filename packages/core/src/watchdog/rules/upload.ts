import type { CommandLine } from "../reading/command-line.ts";
import type { WatchdogVerdict } from "../watchdog.ts";
import { ask, strictest, type WatchdogRule } from "../watchdog-rule.ts";

/** A command that sends files to another machine, or data by ways that are not meant for it. */
export const upload: WatchdogRule = ({ lines }) => strictest(lines.map(judgeLine));

function judgeLine(line: CommandLine): WatchdogVerdict | undefined {
  for (const { program, uploads, isLocal } of line.senders) {
    if (isLocal) continue;
    if (uploads.length > 0) return ask(`${program} sends ${uploads.join(", ")} to another machine`);
    if (rawSenders.has(program)) return ask(`${program} can carry anything to another machine`);
    if (nameAskers.has(program) && /\$\(|`/u.test(line.text)) {
      return ask(`${program} asks for a name that a command made up, which can carry data out`);
    }
  }
  return undefined;
}

const rawSenders = new Set(["nc", "ncat", "netcat", "socat", "telnet", "/dev/tcp"]);
const nameAskers = new Set(["dig", "nslookup", "host", "drill"]);
