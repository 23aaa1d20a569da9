// Tries the built program with the agents people use. They are installed from npm outside of the
// repository first, once: into $HAFT_CLIENTS_DIR, else into the user's cache. What is given after
// `--` goes to vitest: `npm run test:clients -- codex`.

import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { installClient } from "./clients/install-client.mjs";

/** Everything is pinned: what changes there shall not change what is found here. */
const clients = [
  { id: "claude", package: "@anthropic-ai/claude-code", version: "2.1.325" },
  { id: "codex", package: "@openai/codex", version: "0.166.0" },
  { id: "gemini", package: "@google/gemini-cli", version: "0.61.0" },
  { id: "opencode", package: "opencode-ai", version: "1.18.33" },
  { id: "inspector", package: "@modelcontextprotocol/inspector", version: "2.12.0" },
];

const root = dirname(import.meta.dirname);
const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const directory = process.env.HAFT_CLIENTS_DIR || join(cache, "haft", "clients");
const env = {
  ...process.env,
  // The project's own Node, also for npm and for those clients that are scripts.
  PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
  HAFT_CLIENTS_DIR: directory,
};

try {
  await run("node", ["scripts/build.mjs"]);
  for (const client of clients) {
    await installClient(client, { directory, env, log: (line) => console.log(line) });
  }
  const config = ["--config", "vitest.clients.config.ts"];
  await run("vitest", ["run", ...config, ...process.argv.slice(2)]);
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exitCode = 1;
}

/**
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<void>}
 */
function run(program, args) {
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ${args[0]} failed.`)),
    );
  });
}
