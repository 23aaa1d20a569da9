import { spawn } from "node:child_process";

/** Has the desktop open an address, if there is one; whether it did is for the person to see. */
export function openBrowser(url: URL): void {
  const [program, ...args] =
    process.platform === "darwin" ? ["open", url.href] : ["xdg-open", url.href];
  const child = spawn(program as string, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
