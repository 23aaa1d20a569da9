// The script of the broker process.

import { closeSync, readdirSync, readFileSync } from "node:fs";
import { serveBroker } from "./serve-broker.ts";

// The kernel's close-on-exec flag.
const closesOnExec = 0o2000000;

/**
 * Closes descriptors that this process inherited and would pass on to everything it starts, even into
 * sandboxes. Node's own descriptors are never inherited.
 */
function closeInherited(): void {
  if (process.platform !== "linux") return;
  for (const name of readdirSync("/proc/self/fd")) {
    const fd = Number(name);
    if (fd <= 2) continue;
    try {
      const flags = /^flags:\s*([0-7]+)/mu.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"));
      if ((Number.parseInt(flags?.[1] ?? "0", 8) & closesOnExec) === 0) closeSync(fd);
    } catch {
      // It was open only while the directory was read.
    }
  }
}

closeInherited();
serveBroker();
