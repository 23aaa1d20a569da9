import type { CommandInput } from "../../command.ts";
import type { AccessControl } from "../../environments/access-control.ts";
import { findCredentials, saveCredentials } from "../../environments/credentials.ts";
import { locateData } from "../../environments/data-directory.ts";
import { readEnvironments, saveEnvironments } from "../../environments/environments-file.ts";
import { findEnvironment } from "../../environments/find-environment.ts";
import type { IssuedKey } from "../../environments/local-platform.ts";
import { toClient } from "../../environments/open-client.ts";
import { optionTexts, refuseMore } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { readDuration } from "./read-duration.ts";

/** `haft key rotate`: another key instead of one, also where commands here look for it. */
export async function rotateKey(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  refuseMore(input.positionals, 1);
  const [id] = input.positionals;
  if (id === undefined) throw new UsageError("Which key? haft key list shows their ids.");
  const [grace, duration] = [readDuration(input, "grace"), readDuration(input, "duration")];
  const name = await findOwnName(id, input, io);
  const issued = await access.rotateKey(id, {
    ...(grace === undefined ? {} : { grace }),
    ...(duration === undefined ? {} : { duration }),
  });
  // Printed first: whatever happens to the files, the key is not lost.
  printJson(issued, io);
  remember({ id, issued, name }, input, io);
  return 0;
}

// Asked beforehand: afterwards nobody answers to the old key.
async function findOwnName(id: string, input: CommandInput, io: Io): Promise<string | undefined> {
  const [name] = optionTexts(input, "env");
  const environment = name === undefined ? undefined : findEnvironment(input, io);
  if (environment === undefined) return undefined;
  return (await toClient(environment, io).whoami()).api_key_id === id ? name : undefined;
}

function remember(
  done: { readonly id: string; readonly issued: IssuedKey; readonly name: string | undefined },
  input: CommandInput,
  io: Io,
): void {
  const { api_key, api_key_id } = done.issued;
  const directory = locateData(input, io);
  const credentials = findCredentials(directory);
  if (credentials?.api_key_id === done.id) {
    saveCredentials(directory, { ...credentials, api_key, api_key_id });
    io.error(`haft: commands on ${directory} use the new key from now on\n`);
  }
  if (done.name === undefined) return;
  const environments = readEnvironments(io);
  const entry = environments[done.name];
  if (entry === undefined) return;
  saveEnvironments({ ...environments, [done.name]: { ...entry, api_key } }, io);
  io.error(`haft: --env ${done.name} uses the new key from now on\n`);
}
