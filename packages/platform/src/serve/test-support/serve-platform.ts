// A platform as a process of its own, until it is told to stop. Its one argument is JSON: what
// `startPlatform` takes beside what is the same for all. Says where it is as a line of JSON.
import { flushCompileCache } from "node:module";
import { createLog } from "../../operations/logging.ts";
import type { PlatformOptions } from "../platform.ts";
import { startPlatform } from "../start-platform.ts";

const given = JSON.parse(process.argv[2] ?? "{}") as Partial<PlatformOptions> &
  Pick<PlatformOptions, "directory">;
const platform = await startPlatform({
  ...{ role: "all", port: 0, hostname: "127.0.0.1", version: "1.2.3" },
  environment: process.env,
  log: createLog({ level: "warn", stream: process.stderr }),
  ...given,
});
process.once("SIGTERM", () => {
  void platform.close().then(() => process.exit(0));
});
const trouble = (await platform.trouble) ?? null;
// It may be killed, and then nothing of what was compiled would be kept.
flushCompileCache();
process.stdout.write(`${JSON.stringify({ url: platform.url, trouble })}\n`);
