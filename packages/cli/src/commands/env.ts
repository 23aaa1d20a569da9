import { toVisibleLine } from "@haft/core/internal";
import { createPlatformClient, PlatformError } from "@haft/platform/client";
import type { CommandInput } from "../command.ts";
import {
  type NamedEnvironment,
  readEnvironments,
  saveEnvironments,
} from "../environments/environments-file.ts";
import { optionText } from "../environments/option-values.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";
import { toTable } from "../terminal/table.ts";
import { UsageError } from "../usage-error.ts";

/** `haft env list` */
export async function listEnvironments({ options }: CommandInput, io: Io): Promise<number> {
  const known = Object.entries(readEnvironments(io));
  if (options.json === true) {
    const shown = known.map(([name, { url, organization = null }]) => ({
      name,
      url,
      organization,
    }));
    printJson(shown, io);
  } else if (known.length === 0) io.out("No platforms. Add one with: haft env add NAME\n");
  else {
    const rows = known.map(([name, { url, organization }]) => [name, url, organization ?? "-"]);
    io.out(toTable([["NAME", "URL", "ORGANIZATION"], ...rows]));
  }
  return 0;
}

/** `haft env add` */
export async function addEnvironment(input: CommandInput, io: Io): Promise<number> {
  const name = requireName(input);
  const url = optionText(input, "url") as string;
  const given = optionText(input, "api-key") as string;
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
  else
    io.out(
      `${toVisibleLine(`Added ${name}: ${url}. Try it with: haft tool list --env ${name}`)}\n`,
    );
  return 0;
}

/** `haft env remove` */
export async function removeEnvironment(input: CommandInput, io: Io): Promise<number> {
  const name = requireName(input);
  const { [name]: found, ...others } = readEnvironments(io);
  if (found === undefined) throw new UsageError(`There is no platform ${JSON.stringify(name)}.`);
  saveEnvironments(others, io);
  if (input.options.json === true) printJson({ name, removed: true }, io);
  else io.out(`Removed ${name}.\n`);
  return 0;
}

function requireName({ positionals }: CommandInput): string {
  const [name = ""] = positionals;
  if (/^[\w.-]{1,60}$/u.test(name) && name !== "__proto__") return name;
  throw new UsageError(
    `${JSON.stringify(name)} is not a valid name for a platform: use up to 60 letters, digits, _, - and dots.`,
  );
}

async function readKey(given: string, io: Io): Promise<string> {
  if (given === "-") return (await io.readInput()).trim();
  if (!given.startsWith("@")) return given;
  const found = io.environment[given.slice(1)];
  if (found !== undefined) return found;
  throw new UsageError(`--api-key: the environment variable ${given.slice(1)} is not set.`);
}

function requireUsable(url: string, apiKey: string): void {
  try {
    createPlatformClient({ url, apiKey });
  } catch (error) {
    if (!PlatformError.isInstance(error)) throw error;
    throw new UsageError(error.detail);
  }
}
