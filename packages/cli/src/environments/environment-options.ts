import type { OptionTable } from "../command.ts";

/** The options of every command that talks to a platform. */
export const environmentOptions: OptionTable = {
  env: { type: "string", short: "e", multiple: true },
  data: { type: "string" },
  json: { type: "boolean" },
};

/** How `--help` describes them. */
export const environmentHelp = `Which platform:
  -e, --env NAME        one that haft env add made known
      --data DIR        the one that runs on this data directory
                        Without either: HAFT_URL and HAFT_API_KEY, else HAFT_DATA, else the one that
                        haft serve starts here. A key knows its organization.
      --json            print JSON on standard output, and nothing else
  -h, --help            show this
`;
