import type { Command } from "../command.ts";
import { commonOptions, envelopeOption, waitOption } from "./option-groups.ts";

/** `haft call` */
export const call: Command = {
  details: `
With --json the result envelope is printed, for a result and for an error. The exit code is 0, or the
error's own code: see docs/reference/errors.md.`,
  arguments: [
    { name: "TOOL", description: "Name of the tool. `haft tools` lists them" },
    {
      name: "ARGUMENTS",
      description:
        "One JSON object, or pairs (key=value for text, key:=value for JSON), or - to read JSON from standard input",
      optional: true,
      repeats: true,
    },
  ],
  options: { ...envelopeOption, ...waitOption("refuse them") },
  groups: [commonOptions],
  examples: [
    "haft call read path=README.md limit=20",
    `haft call read '{"path": "src/index.ts", "offset": 100}'`,
    "haft call write --yes path=notes.txt content='buy milk'",
    "haft call bash command='npm test' timeout_ms=60000",
    "haft call bash command='git push' --rule 'bash git push allow' --allow-host github.com:443",
    "haft call write path=notes.txt content=milk --headless --wait 2h",
    `echo '{"todos": []}' | haft call todo -`,
    "haft call Read path=README.md --dialect amp --json",
  ],
  load: async () => (await import("../commands/call.ts")).makeCall,
};
