import { nearestNames } from "@haft/core/internal";
import type { CommandInput } from "../command.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";
import { findCredentials, locateCredentials } from "./credentials.ts";
import { locateData } from "./data-directory.ts";
import { locateEnvironments, readEnvironments } from "./environments-file.ts";
import { optionText, optionTexts } from "./option-values.ts";
import type { PlatformEnvironment } from "./platform-environment.ts";

/** Returns the platform that the command line or the environment names. Throws a `UsageError` if there is none. */
export function requireEnvironment(input: CommandInput, io: Io): PlatformEnvironment {
  const found = findEnvironment(input, io);
  if (found !== undefined) return found;
  const credentials = locateCredentials(locateData(input, io));
  throw new UsageError(
    optionText(input, "data") === undefined
      ? `No platform found. Start one here with haft serve (it writes ${credentials}), set HAFT_URL and HAFT_API_KEY, or name one with --env (haft env add NAME).`
      : `There is no ${credentials}. Start the platform once with haft serve --data, or name another directory.`,
  );
}

/**
 * Finds a platform: from the command line, else from the environment, else the one that runs here.
 * Returns `undefined` if there is none.
 */
export function findEnvironment(input: CommandInput, io: Io): PlatformEnvironment | undefined {
  const name = readName(input);
  const isData = optionText(input, "data") !== undefined;
  if (name !== undefined && isData) {
    throw new UsageError("--env and --data name different platforms. Use only one of them.");
  }
  if (name !== undefined) return requireNamed(name, io);
  const fromVariables = isData ? undefined : readVariables(io);
  return fromVariables ?? readData(input, io);
}

function readName(input: CommandInput): string | undefined {
  const [name, other] = optionTexts(input, "env");
  if (other !== undefined) throw new UsageError("--env takes one platform. Give it only once.");
  if (name?.includes("=")) {
    throw new UsageError("--env takes the name of a platform. To set variables: haft tool env");
  }
  return name;
}

function requireNamed(name: string, io: Io): PlatformEnvironment {
  const environments = readEnvironments(io);
  const found = Object.hasOwn(environments, name) ? environments[name] : undefined;
  if (found === undefined) {
    const known = Object.keys(environments);
    const near = nearestNames(name, known);
    const hint =
      known.length === 0
        ? `${locateEnvironments(io)} has none. Add it with: haft env add ${name}`
        : `Platforms: ${known.join(", ")}.${near.length > 0 ? ` Did you mean ${near[0]}?` : ""}`;
    throw new UsageError(`There is no platform ${JSON.stringify(name)}. ${hint}`);
  }
  const { url, api_key: apiKey, organization } = found;
  return { url, apiKey, organization, source: `--env ${name}` };
}

function readVariables({ environment }: Io): PlatformEnvironment | undefined {
  const { HAFT_URL: url = "", HAFT_API_KEY: apiKey = "" } = environment;
  if (url === "" && apiKey === "") return undefined;
  if (url === "") throw new UsageError("HAFT_API_KEY is set, but not HAFT_URL: set both.");
  if (apiKey === "") throw new UsageError("HAFT_URL is set, but not HAFT_API_KEY: set both.");
  return { url, apiKey, organization: undefined, source: "HAFT_URL" };
}

function readData(input: CommandInput, io: Io): PlatformEnvironment | undefined {
  const directory = locateData(input, io);
  const credentials = findCredentials(directory);
  if (credentials === undefined) return undefined;
  const { url, api_key: apiKey, organization } = credentials;
  return { url, apiKey, organization, source: locateCredentials(directory) };
}
