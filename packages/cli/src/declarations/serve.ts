import type { Command } from "../command.ts";
import { commonOptions, waitOption } from "./option-groups.ts";

/** `haft serve` */
export const serve: Command = {
  details: `
Serves the API to publish, version and invoke tools and to read their history, and the console, a web
page for all of it. With the role all, and only on a loopback address, it also serves the workspace's own
tools, over MCP and on a page of the console.

The first start creates an organization with an API key and writes DIR/credentials.json, which haft tool
reads. DIR/settings.json can change limits: docs/guides/platform.md. The printed link signs in one
browser, once; haft console makes another. The workspace's tools need a token: HAFT_TOKEN if set, else
a new one on each start, which the link contains. Only one server at a time can
use a DIR with the SQLite file. Stop with Ctrl-C.`,
  options: {
    port: {
      value: "N",
      description: "Port to listen on. 0 is any free port",
      default: "PORT, else 7423",
    },
    host: {
      value: "ADDRESS",
      description: "Address to listen on",
      default: "127.0.0.1, this machine only",
    },
    "tls-cert": {
      value: "FILE",
      description: "Serve HTTPS with this certificate (PEM). A changed file is used at once",
      completes: "file",
    },
    "tls-key": {
      value: "FILE",
      description: "Private key of the certificate (PEM)",
      completes: "file",
    },
    data: {
      value: "DIR",
      description: "Data directory",
      default: "HAFT_DATA, else a directory in HAFT_HOME",
      completes: "directory",
    },
    database: {
      value: "URL",
      description: "PostgreSQL database, postgres://…, instead of the SQLite file in DIR",
    },
    role: {
      value: "ROLE",
      description:
        "What this process does. With --database, api serves requests and worker runs and builds tools for them",
      choices: ["all", "api", "worker"],
      default: "all",
    },
    machine: {
      value: "WHETHER",
      description: "Show administrators what agents did on this machine: on or off",
      choices: ["on", "off"],
      default: "on for a loopback address, else off",
    },
    log: {
      value: "LEVEL",
      description: "What to log, as JSON on standard error. info includes every request",
      choices: ["error", "warn", "info"],
      default: "warn",
    },
    ...waitOption("1h, and with --headless 0s: refuse them"),
  },
  groups: [commonOptions],
  examples: [
    "haft serve",
    "haft serve --port 0 --data ./data -C ~/project",
    "haft serve --host 0.0.0.0 --database postgres://haft@db/haft --role api --data /srv/haft",
    "haft serve --host 0.0.0.0 --tls-cert server.crt --tls-key server.key",
    "haft serve --role worker --database postgres://haft@db/haft --port 7424 --data /srv/haft",
  ],
  load: async () => (await import("../commands/serve.ts")).runServer,
};
