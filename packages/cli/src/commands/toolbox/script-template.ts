/** What a new script is to be like. */
export interface ScriptWish {
  readonly name: string;
  readonly language: keyof typeof languages;
  /** It speaks lines instead of JSON. */
  readonly isText: boolean;
}

/** The languages in which there are scripts to start from. */
export const languages = {
  bash: { ending: ".sh" },
  python: { ending: ".py" },
  node: { ending: ".mjs" },
} as const;

/** A script that greets: it says what it does, reads its argument, and prints a result. */
export function scriptTemplate({ name, language, isText }: ScriptWish): string {
  return templates[language](isText ? "text" : "json").replaceAll("NAME", name);
}

type Format = "json" | "text";

const templates: Readonly<Record<keyof typeof languages, (format: Format) => string>> = {
  bash: (format) => (format === "json" ? bashWithJson : bashWithLines),
  python: (format) => pythonStart + (format === "json" ? pythonWithJson : pythonWithLines),
  node: (format) => nodeStart + (format === "json" ? nodeWithJson : nodeWithLines),
};

const bashWithJson = `#!/usr/bin/env bash
# A tool for agents. It is called with TOOLBOX_ACTION=describe, and then with execute.
set -euo pipefail

case "$TOOLBOX_ACTION" in
describe)
  cat <<'END'
{
  "name": "NAME",
  "description": "Greets somebody. Say here what the tool does, and when to use it.",
  "args": { "who": ["string", "whom to greet"] }
}
END
  ;;
execute)
  # The arguments, as JSON. With jq: who=$(jq -r .who <<<"$arguments")
  arguments=$(cat)
  echo "Hello! You sent $arguments"
  ;;
esac
`;

const bashWithLines = `#!/usr/bin/env bash
# A tool for agents. It is called with TOOLBOX_ACTION=describe, and then with execute.
set -euo pipefail

case "$TOOLBOX_ACTION" in
describe)
  cat <<'END'
name: NAME
description: Greets somebody. Say here what the tool does, and when to use it.
who: string whom to greet
END
  ;;
execute)
  who=nobody
  # A line for each argument: 'key: value'.
  while IFS= read -r line; do
    case "$line" in
    "who: "*) who=\${line#who: } ;;
    esac
  done
  # What goes wrong goes to standard error, with an exit code other than 0.
  echo "Hello, $who!"
  ;;
esac
`;

const pythonStart = `#!/usr/bin/env python3
"""A tool for agents. It is called with TOOLBOX_ACTION=describe, and then with execute."""
`;

const pythonWithJson = `import json
import os
import sys

if os.environ["TOOLBOX_ACTION"] == "describe":
    json.dump(
        {
            "name": "NAME",
            "description": "Greets somebody. Say here what the tool does, and when to use it.",
            "args": {"who": ["string", "whom to greet"]},
        },
        sys.stdout,
    )
else:
    arguments = json.load(sys.stdin)
    # To fail, say why on standard error and exit: sys.exit("Nobody is there.")
    print(f"Hello, {arguments['who']}!")
`;

const pythonWithLines = `import os
import sys

if os.environ["TOOLBOX_ACTION"] == "describe":
    print("name: NAME")
    print("description: Greets somebody. Say here what the tool does, and when to use it.")
    print("who: string whom to greet")
else:
    # A line for each argument: "key: value".
    arguments = dict(line.rstrip("\\n").split(": ", 1) for line in sys.stdin)
    # To fail, say why on standard error and exit: sys.exit("Nobody is there.")
    print(f"Hello, {arguments['who']}!")
`;

const nodeStart = `#!/usr/bin/env node
// A tool for agents. It is called with TOOLBOX_ACTION=describe, and then with execute.
import { readFileSync } from "node:fs";

`;

const nodeWithJson = `if (process.env.TOOLBOX_ACTION === "describe") {
  const description = "Greets somebody. Say here what the tool does, and when to use it.";
  console.log(
    JSON.stringify({ name: "NAME", description, args: { who: ["string", "whom to greet"] } }),
  );
} else {
  const { who } = JSON.parse(readFileSync(0, "utf8"));
  // To fail, throw: the error goes to standard error and the exit code is not 0.
  console.log(\`Hello, \${who}!\`);
}
`;

const nodeWithLines = `if (process.env.TOOLBOX_ACTION === "describe") {
  console.log("name: NAME");
  console.log("description: Greets somebody. Say here what the tool does, and when to use it.");
  console.log("who: string whom to greet");
} else {
  // A line for each argument: "key: value".
  const lines = readFileSync(0, "utf8").split("\\n").filter((line) => line !== "");
  const { who } = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  );
  // To fail, throw: the error goes to standard error and the exit code is not 0.
  console.log(\`Hello, \${who}!\`);
}
`;
