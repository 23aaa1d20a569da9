import type { Command } from "../command.ts";
import { type OpenLocalPlatform, openLocalPlatform } from "../environments/local-platform.ts";
import { onAccess } from "./loaders.ts";
import { accessOptions } from "./option-groups.ts";

const groups = [accessOptions];

/** Declares `haft audit`; where no server runs, it works on the stores that `open` opens. */
export function declareAudit(open: OpenLocalPlatform): Command {
  return {
    details: `
Each line of the audit trail has the hash of the line before it, so that a line can't be changed, added
or removed without changing all lines after it. Once a day the server writes the number and hash of the
last line, an anchor, to audit-anchors.jsonl in its data directory and to its log.`,
    subcommands: {
      export: {
        summary: "Print the audit trail, oldest first, one line of JSON each",
        groups,
        examples: ["haft audit export > audit.jsonl"],
        load: onAccess(open, async () => (await import("../commands/audit.ts")).exportAudit),
      },
      verify: {
        summary: "Check the hashes of the audit trail against the anchors",
        details: `
Exits with 1 if a line was changed, added or removed. Prints the last line as an anchor. Keep it where
those who can write to the server's disk can't, and check against it later with --anchors.`,
        arguments: [
          {
            name: "FILE",
            description: "An exported trail to check instead of the platform's",
            optional: true,
            completes: "file",
          },
        ],
        options: {
          anchors: {
            value: "FILE",
            description: "File with further anchors, one line of JSON each",
            completes: "file",
          },
        },
        groups,
        examples: [
          "haft audit verify",
          "haft audit verify --json | jq -c .last >> /mnt/elsewhere/anchors.jsonl",
          "haft audit verify audit.jsonl --anchors /mnt/elsewhere/anchors.jsonl",
        ],
        load: async () => {
          const { verifyAudit, verifyAuditFile } = await import("../commands/audit.ts");
          const verifyPlatform = await onAccess(open, async () => verifyAudit)();
          return (input, io) =>
            input.positionals.length > 0 ? verifyAuditFile(input, io) : verifyPlatform(input, io);
        },
      },
    },
  };
}

/** `haft audit` */
export const audit: Command = declareAudit(openLocalPlatform);
