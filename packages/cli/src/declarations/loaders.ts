import type { CommandInput, RunCommand } from "../command.ts";
import type { AccessControl } from "../environments/access-control.ts";
import type { OpenLocalPlatform } from "../environments/local-platform.ts";
import type { Io } from "../io.ts";
import type { CommonOptions } from "../options/common-options.ts";

type Load = () => Promise<RunCommand>;

/** Loads an action that also takes the common options, read and checked. */
export function withCommonOptions(
  load: () => Promise<(input: CommandInput, options: CommonOptions, io: Io) => Promise<number>>,
): Load {
  return async () => {
    const [{ readCommonOptions }, run] = await Promise.all([
      import("../options/common-options.ts"),
      load(),
    ]);
    return (input, io) => run(input, readCommonOptions(input, io), io);
  };
}

/** Loads an action that uses a platform and reports the platform's errors. */
export function onPlatform(load: Load): Load {
  return async () => {
    const [{ reportPlatformErrors }, run] = await Promise.all([
      import("../environments/report-platform-error.ts"),
      load(),
    ]);
    return (input, io) => reportPlatformErrors(input, io, () => run(input, io));
  };
}

/** Loads an action on the roles and keys of a platform: through its server if it runs, else its store. */
export function onAccess(
  open: OpenLocalPlatform,
  load: () => Promise<(access: AccessControl, input: CommandInput, io: Io) => Promise<number>>,
): Load {
  return onPlatform(async () => {
    const [{ openAccess }, run] = await Promise.all([
      import("../environments/open-access.ts"),
      load(),
    ]);
    return async (input, io) => {
      const access = await openAccess(input, io, open);
      try {
        return await run(access, input, io);
      } finally {
        await access.close();
      }
    };
  });
}
