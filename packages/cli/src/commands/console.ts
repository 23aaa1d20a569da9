import type { PlatformClient } from "@haft/platform/client";
import type { CommandInput } from "../command.ts";
import { openClient } from "../environments/open-client.ts";
import type { Io } from "../io.ts";
import { printJson } from "../terminal/print-result.ts";

/** `haft console` */
export async function printConsoleLink(input: CommandInput, io: Io): Promise<number> {
  const link = await createConsoleLink(openClient(input, io));
  if (input.options.json === true) printJson(link, io);
  else io.out(`${link.url}\n`);
  return 0;
}

/** Asks a platform for a link that signs in a browser once. */
export async function createConsoleLink(
  client: PlatformClient,
): Promise<{ readonly url: string; readonly expires_at: string }> {
  const path = "/v1/{organization}/organization/console_link";
  const link = await client.request<{ path: string; expires_at: string }>("POST", path);
  return { url: `${client.url}${link.path}`, expires_at: link.expires_at };
}
