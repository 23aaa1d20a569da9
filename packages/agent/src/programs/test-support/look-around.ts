// A script in place of the one that runs programs: it reports what its process can reach.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

function attempt(reach: () => unknown): unknown {
  try {
    return reach();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "failed";
  }
}

process.stdout.write('{"kind":"ready"}\n');
createInterface({ input: process.stdin }).on("line", (line) => {
  const { secret, port } = JSON.parse(line) as { secret?: string; port: number };
  // The source of a program's globals comes first.
  if (secret === undefined) return;
  const report = (network: string): void => {
    const found = {
      environment: Object.keys(process.env),
      file: attempt(() => readFileSync(secret, "utf8")),
      directory: attempt(() => readdirSync("/")),
      write: attempt(() => writeFileSync("/tmp/x", "")),
      spawn: attempt(() => spawnSync("/bin/true").error ?? "ran"),
      evaluate: attempt(() => new Function("return process")()),
      network,
    };
    process.stdout.write(`${JSON.stringify(found)}\n`);
  };
  const socket = connect(port, "127.0.0.1");
  socket.on("connect", () => report("connected"));
  socket.on("error", ({ message }) => report(message));
});
