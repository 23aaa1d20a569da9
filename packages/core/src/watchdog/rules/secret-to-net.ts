import type { CommandLine } from "../reading/command-line.ts";
import { findSecretSources } from "../reading/secret-sources.ts";
import type { WatchdogCall, WatchdogVerdict } from "../watchdog.ts";
import { ask, deny, strictest, type WatchdogRule } from "../watchdog-rule.ts";

/** One command line that takes up a secret and reaches another machine. */
export const secretToNet: WatchdogRule = ({ call, lines }) =>
  strictest(lines.map((line) => judgeLine(line, call)));

function judgeLine(line: CommandLine, call: WatchdogCall): WatchdogVerdict | undefined {
  const senders = line.senders;
  const away = senders.find(({ isLocal }) => !isLocal);
  const carrier = senders.find(({ isLocal, carries }) => !isLocal && carries);
  if (senders.length === 0) return undefined;
  const { files, dumps, credentials } = findSecretSources(line, call);
  const [file] = files;
  if (file !== undefined && away !== undefined) {
    return deny(
      `This has the shape of exfiltration: it names ${file}, which is of a kind that holds secrets, and reaches the net with ${away.program}. Do the one without the other.`,
    );
  }
  if (file !== undefined) {
    return ask(
      `it hands ${file}, which is of a kind that holds secrets, to a server on this machine`,
    );
  }
  if (carrier === undefined) return undefined;
  if (dumps[0] !== undefined) {
    return deny(
      `This has the shape of exfiltration: ${dumps[0]} gives out the environment or what is configured, and ${carrier.program} carries what it is given to another machine. Do the one without the other.`,
    );
  }
  if (credentials[0] !== undefined) {
    return ask(`${credentials[0]} prints credentials, and ${carrier.program} reaches the net`);
  }
  return call.secrets.length === 0
    ? undefined
    : ask(`it holds what looks like a secret (${call.secrets.join(", ")}) and reaches the net`);
}
