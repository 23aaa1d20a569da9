import { closeSync, readdirSync, readFileSync } from "node:fs";

// How the kernel marks a descriptor that ends with the program that opened it.
const closesOnExec = 0o2000000;

/**
 * Closes what this process was left open by whoever started it and would hand on to all that it
 * starts itself, sandboxes too. Node's own descriptors are never handed on.
 */
export function closeInherited(): void {
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
