import type { Command } from "../command.ts";
import { openWorkspace } from "../open-workspace.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { readCommonOptions } from "../options/common-options.ts";
import { envelopeHelp, envelopeOption, readEnvelope } from "../options/envelope.ts";
import { readCallArguments } from "../options/read-call-arguments.ts";
import { exitCodeOf, printJson, printResult } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

/** `haft call` */
export const call: Command = {
  help: `Make one call.

Usage: haft call NAME [JSON | key=value … | -]

Arguments are one JSON object, pairs (key=value for text, key:=value for JSON), or - to read JSON
from standard input. With --json the result envelope is printed, whether output or error; the exit
code tells which (0, or the error's own code: see docs/reference/errors.md).

Examples:
  haft call read path=README.md limit=20
  haft call read '{"path": "src/index.ts", "offset": 100}'
  haft call write --yes path=notes.txt content='buy milk'
  haft call bash command='npm test' timeout_ms=60000
  haft call bash command='git push' --rule 'bash git push allow' --allow-host github.com:443
  echo '{"todos": []}' | haft call todo -
  haft call Read path=README.md --dialect amp --json --envelope amp

${envelopeHelp}

${commonHelp}`,
  options: { ...commonOptions, ...envelopeOption },
  run: async (input, io) => {
    const options = readCommonOptions(input, io);
    const wrap = readEnvelope(input);
    const [name, ...words] = input.positionals;
    if (name === undefined) throw new UsageError("Which tool? haft tools lists them.");
    const args = await readCallArguments(words, io);
    const workspace = await openWorkspace(options, io);
    const session = workspace.openSession();
    const result = await session.call({ name, arguments: args }, { signal: io.signal });
    await workspace.close();
    if (options.json) printJson(wrap(result), io);
    else printResult(result, io);
    return exitCodeOf(result);
  },
};
