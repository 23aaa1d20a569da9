// Holds so many megabytes, and runs a command in the sandbox whenever it is told to.
import { openShell } from "./open-shell.ts";

const [, , workspace = "", stateDirectory = "", megabytes = "0"] = process.argv;
const held = Array.from({ length: Number(megabytes) }, () => Buffer.alloc(1024 * 1024, 1));
const { shell, confined } = openShell(workspace, stateDirectory, "required");

process.on("message", async (command: string) => {
  const { exitCode } = await shell.execute({ command });
  if (exitCode !== 0 || confined.includes("none")) throw new Error(`${command} failed.`);
  process.send?.(held.length);
});
process.on("disconnect", () => process.exit());
