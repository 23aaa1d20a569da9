import type { RunCommand } from "../command.ts";
import { findCredentials } from "../environments/credentials.ts";
import type { OpenLocalPlatform } from "../environments/local-platform.ts";
import { readStoreLocation, withStore } from "../environments/store-options.ts";
import { printFields, printJson } from "../terminal/print-result.ts";
import { toTable } from "../terminal/table.ts";

const defaultUrl = "http://127.0.0.1:7423";

/** `haft org create` */
export function createOrganization(open: OpenLocalPlatform): RunCommand {
  return async (input, io) => {
    const [name = ""] = input.positionals;
    const location = readStoreLocation(input, io);
    const created = await withStore(open, location, (platform) =>
      platform.createOrganization(name),
    );
    const url = findCredentials(location.directory)?.url ?? (io.environment.HAFT_URL || defaultUrl);
    printFields({ url, ...created }, input, io);
    return 0;
  };
}

/** `haft org list` */
export function listOrganizations(open: OpenLocalPlatform): RunCommand {
  return async (input, io) => {
    const organizations = await withStore(open, readStoreLocation(input, io), (platform) =>
      platform.listOrganizations(),
    );
    if (input.options.json === true) printJson(organizations, io);
    else if (organizations.length === 0) {
      io.out("No organizations. Create one with: haft org create NAME\n");
    } else {
      const rows = organizations.map(({ id, name }) => [id, name]);
      io.out(toTable([["ID", "NAME"], ...rows]));
    }
    return 0;
  };
}
