import type { Command } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";

/** `haft console` */
export const console: Command = {
  details: `
Prints a link that signs in one browser, once, with the key of the platform that the options name. It
works for an hour. The browser then stays signed in for seven days, or until the key ends.`,
  groups: [platformOptions],
  examples: ["haft console", "haft console --env production"],
  load: onPlatform(async () => (await import("../commands/console.ts")).printConsoleLink),
};
