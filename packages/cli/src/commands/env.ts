import { toVisibleLine } from "@haft/core";
import { createPlatformClient, PlatformError } from "@haft/platform/client";
import type { Command, CommandInput } from "../command.ts";
import {
  type NamedEnvironment,
  readEnvironments,
  saveEnvironments,
} from "../environments/environments-file.ts";
import { optionText, refuseMore } from "../environments/option-values.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { UsageError } from "../usage-error.ts";

type Action = (input: CommandInput, io: Io) => Promise<number>;

const actions: Readonly<Record<string, Action>> = { list, add, remove };

/** `haft env` */
export const env: Command = {
  help: `Keep the platforms that you work with under names of your own.

Usage: haft env [list]
       haft env add NAME --url URL --api-key KEY
       haft env remove NAME

haft tool … --env NAME then uses that one. They are kept in ~/.config/haft/environments.json (or below
XDG_CONFIG_HOME), which only you can read.

      --url URL         where the platform is, such as https://tools.example.com
      --api-key KEY     @VARIABLE takes it from a variable, - from standard input, so that it
                        is on no command line
      --organization ID only for platforms that do not tell whose key it is
      --json            print JSON on standard output; keys are never shown
  -h, --help            show this

Examples:
  haft env add work --url https://tools.example.com --api-key @WORK_KEY
  haft tool list --env work
  haft env remove work
`,
  options: {
    url: { type: "string" },
    "api-key": { type: "string" },
    organization: { type: "string" },
    json: { type: "boolean" },
  },
  run: async (input, io) => {
    const [action = "list", ...positionals] = input.positionals;
    const run = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (run === undefined) {
      const known = Object.keys(actions).join(", ");
      throw new UsageError(`env can ${known}, not ${JSON.stringify(action)}.`);
    }
    return run({ ...input, positionals }, io);
  },
};

async function list({ positionals, options }: CommandInput, io: Io): Promise<number> {
  refuseMore(positionals, 0);
  const known = Object.entries(readEnvironments(io));
  if (options.json === true) {
    const shown = known.map(([name, { url, organization = null }]) => ({
      name,
      url,
      organization,
    }));
    printJson(shown, io);
  } else if (known.length === 0) io.out("There are none. haft env add NAME makes one known.\n");
  for (const [name, { url }] of options.json === true ? [] : known) {
    io.out(`${toVisibleLine(`${name}  ${url}`)}\n`);
  }
  return 0;
}

async function add(input: CommandInput, io: Io): Promise<number> {
  const name = requireName(input);
  const url = optionText(input, "url");
  const given = optionText(input, "api-key");
  if (url === undefined || given === undefined) {
    throw new UsageError("A platform has an address and a key: --url URL --api-key KEY.");
  }
  const organization = optionText(input, "organization");
  const api_key = await readKey(given, io);
  requireUsable(url, api_key);
  const entry: NamedEnvironment = {
    url,
    api_key,
    ...(organization === undefined ? {} : { organization }),
  };
  const path = saveEnvironments({ ...readEnvironments(io), [name]: entry }, io);
  if (input.options.json === true) printJson({ name, url, file: path }, io);
  else io.out(`${toVisibleLine(`Added ${name}: ${url}. Try it: haft tool list --env ${name}`)}\n`);
  return 0;
}

async function remove(input: CommandInput, io: Io): Promise<number> {
  const name = requireName(input);
  const { [name]: found, ...others } = readEnvironments(io);
  if (found === undefined) throw new UsageError(`There is no platform ${JSON.stringify(name)}.`);
  saveEnvironments(others, io);
  if (input.options.json === true) printJson({ name, removed: true }, io);
  else io.out(`Removed ${name}.\n`);
  return 0;
}

function requireName({ positionals }: CommandInput): string {
  refuseMore(positionals, 1);
  const [name] = positionals;
  if (name === undefined) throw new UsageError("What is it called? Give it a name.");
  if (/^[\w.-]{1,60}$/u.test(name) && name !== "__proto__") return name;
  throw new UsageError(
    `${JSON.stringify(name)} is no name for a platform: up to 60 letters, digits, _, - and dots.`,
  );
}

async function readKey(given: string, io: Io): Promise<string> {
  if (given === "-") return (await io.readInput()).trim();
  if (!given.startsWith("@")) return given;
  const found = io.environment[given.slice(1)];
  if (found !== undefined) return found;
  throw new UsageError(`--api-key: there is no variable ${given.slice(1)} in the environment.`);
}

function requireUsable(url: string, apiKey: string): void {
  try {
    createPlatformClient({ url, apiKey });
  } catch (error) {
    if (!PlatformError.isInstance(error)) throw error;
    throw new UsageError(error.detail);
  }
}
