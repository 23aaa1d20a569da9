import type { CommandInput } from "../../command.ts";
import type { AccessControl } from "../../environments/access-control.ts";
import { findCredentials, saveCredentials } from "../../environments/credentials.ts";
import { locateData } from "../../environments/data-directory.ts";
import { readEnvironments, saveEnvironments } from "../../environments/environments-file.ts";
import { findEnvironment } from "../../environments/find-environment.ts";
import type { IssuedKey } from "../../environments/local-platform.ts";
import { toClient } from "../../environments/open-client.ts";
import { optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { readDuration } from "../../options/read-duration.ts";
import { printFields } from "../../terminal/print-result.ts";

/** `haft key rotate`: replaces a key, also in the files that commands here read it from. */
export async function rotateKey(
  access: AccessControl,
  input: CommandInput,
  io: Io,
): Promise<number> {
  const [id = ""] = input.positionals;
  const [grace, duration] = [readDuration(input, "grace"), readDuration(input, "duration")];
  const name = await findOwnName(id, input, io);
  const issued = await access.rotateKey(id, {
    ...(grace === undefined ? {} : { grace }),
    ...(duration === undefined ? {} : { duration }),
  });
  // Printed first, so that the key is not lost if a file cannot be written.
  printFields(issued, input, io);
  remember({ id, issued, name }, input, io);
  return 0;
}

// Asked before the rotation: afterwards the old key is rejected.
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
    io.error(`haft: commands on ${directory} now use the new key\n`);
  }
  if (done.name === undefined) return;
  const environments = readEnvironments(io);
  const entry = environments[done.name];
  if (entry === undefined) return;
  saveEnvironments({ ...environments, [done.name]: { ...entry, api_key } }, io);
  io.error(`haft: --env ${done.name} now uses the new key\n`);
}
