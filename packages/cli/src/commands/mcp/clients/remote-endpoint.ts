import { PlatformError } from "@haft/platform/client";
import type { CommandInput } from "../../../command.ts";
import { requireEnvironment } from "../../../environments/find-environment.ts";
import { toClient } from "../../../environments/open-client.ts";
import { optionText } from "../../../environments/option-values.ts";
import type { Io } from "../../../io.ts";
import { UsageError } from "../../../usage-error.ts";

/** The MCP endpoint of an organization, and where a client finds the key for it. */
export interface RemoteEndpoint {
  readonly url: string;
  /** The environment variable with the API key. */
  readonly keyVariable: string;
  readonly set: string | undefined;
}

const defaultVariable = "HAFT_API_KEY";

/** Finds the endpoint that `--org` and `--set` name; `undefined` without them. */
export async function findRemoteEndpoint(
  input: CommandInput,
  io: Io,
): Promise<RemoteEndpoint | undefined> {
  const wanted = optionText(input, "org");
  const set = optionText(input, "set");
  const keyVariable = optionText(input, "key-env") ?? defaultVariable;
  if (wanted === undefined) {
    if (set === undefined) return undefined;
    throw new UsageError("--set needs --org: the organization that has the tool set.");
  }
  if (!/^[A-Za-z_]\w{0,99}$/u.test(keyVariable)) {
    throw new UsageError(
      `--key-env takes the name of an environment variable, not ${JSON.stringify(keyVariable)}. The key itself is never written.`,
    );
  }
  const client = toClient(requireEnvironment(input, io), io);
  try {
    const { organization, organization_name: name } = await client.whoami();
    if (wanted !== organization && wanted !== name) {
      throw new UsageError(
        `--org is ${JSON.stringify(wanted)}, but the API key here is for the organization ${name} (${organization}). Choose another platform with --env.`,
      );
    }
    if (set !== undefined) await client.sets.get(set);
    const path = ["v1", organization, "mcp", ...(set === undefined ? [] : [set])];
    const url = `${client.url}/${path.map(encodeURIComponent).join("/")}`;
    return { url, keyVariable, set };
  } catch (error) {
    if (PlatformError.isInstance(error)) throw new UsageError(error.message);
    throw error;
  }
}
