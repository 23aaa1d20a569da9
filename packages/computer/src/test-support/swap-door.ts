import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

const swapper = `
  const { renameSync } = require("node:fs");
  process.chdir(process.argv[1]);
  process.stdout.write("ready");
  for (;;) {
    renameSync("door", "one");
    renameSync("two", "door");
    renameSync("door", "two");
    renameSync("one", "door");
  }
`;

/** Exchanges `door` for `two` and back in a directory, as fast as it can, until the test is over. */
export async function swapDoor(directory: string): Promise<void> {
  const child = spawn(process.execPath, ["-e", swapper, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  if (child.stdout) await once(child.stdout, "data");
}
