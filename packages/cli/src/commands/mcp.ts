import type { Command, CommandInput, OptionTable } from "../command.ts";
import type { Io } from "../io.ts";
import { commonHelp, commonOptions } from "../options/common-option-table.ts";
import { type CommonOptions, readCommonOptions } from "../options/common-options.ts";
import { UsageError } from "../usage-error.ts";

type Action = (input: CommandInput, options: CommonOptions, io: Io) => Promise<number>;

// Loaded only when used: a server is to start quickly, and what adds servers needs other libraries.
const actions: Readonly<Record<string, () => Promise<Action>>> = {
  serve: async () => (await import("./mcp/serve.ts")).serveMcp,
  install: async () => (await import("./mcp/install.ts")).installMcp,
  add: async () => (await import("./mcp/add.ts")).addServer,
  list: async () => (await import("./mcp/list.ts")).listServers,
  remove: async () => (await import("./mcp/remove.ts")).removeServer,
  test: async () => (await import("./mcp/test.ts")).testServer,
  accept: async () => (await import("./mcp/accept.ts")).acceptServer,
  import: async () => (await import("./mcp/import.ts")).importServers,
  login: async () => (await import("./mcp/login.ts")).loginServer,
};

const options: OptionTable = {
  http: { type: "boolean" },
  port: { type: "string" },
  tools: { type: "string" },
  "read-only": { type: "boolean" },
  print: { type: "boolean" },
  scope: { type: "string" },
  name: { type: "string" },
  env: { type: "string", multiple: true },
  header: { type: "string", multiple: true },
  read: { type: "string", multiple: true },
  write: { type: "string", multiple: true },
  "no-write": { type: "boolean" },
  "client-id": { type: "string" },
  "dry-run": { type: "boolean" },
};

/** `haft mcp` */
export const mcp: Command = {
  help: `Give an agent these tools over MCP, or give these tools an MCP server's.

Usage: haft mcp [--http [--port N]]           serve the tools: on standard input and output, or HTTP
       haft mcp install [CLIENT]              put Haft into claude, codex, gemini, opencode, cursor, zed;
                                              without CLIENT: which of them are here
       haft mcp add NAME -- COMMAND ARGS…     have the tools of a server that is a program
       haft mcp add NAME URL                  have the tools of a server on the net
       haft mcp list | remove NAME            which servers there are; take one away
       haft mcp test NAME                     connect, and print its tools
       haft mcp accept NAME                   look at what a server changed, and take it
       haft mcp login NAME                    let a server on the net know who you are (OAuth)
       haft mcp import [FILE | CLIENT]        take servers over from .mcp.json or a client's settings

Serving:
      --http            over HTTP at http://127.0.0.1:PORT/mcp; needs a token: HAFT_TOKEN, else a new
                        one is printed with the address
      --port N          where to listen (default: 7424; 0: any free port)
      --tools A,B       show and allow these tools only
      --read-only       show no tool that changes files; commands can't write either

Installing (the common options are written along; --yes replaces an entry of the same name):
      --print           print the configuration, write nothing
      --scope SCOPE     user (all your projects) or project (this workspace)
      --name NAME       what the client is to call it (default: haft)

Adding: a server is a program like others and runs in a sandbox of its own. It may read and write the
workspace and reach nobody, unless you say (in values, \${NAME} stands for a variable of yours when it
starts):
      --read DIR        let it read this directory too, repeatable
      --write DIR       let it write below this directory instead of the workspace, repeatable
      --no-write        let it write nowhere
      --allow-host HOST let it reach this host, repeatable; for a server on the net: further private
                        hosts, such as where one logs in
      --env NAME=VALUE  a variable for it, repeatable; --pass-env NAME hands over one of yours
      --header 'NAME: VALUE'
                        sent with every request to a server on the net, repeatable
      --client-id ID    who we are to a server that one logs in to and can't register with
      --dry-run         with import: take nothing over, only show

What a server offers is pinned when you add it. A tool that it describes otherwise later can't be
used until you accept it. Servers belong to the workspace and are kept outside of it, so that no
repository brings its own.

Examples:
  haft mcp install claude
  haft mcp install codex --print
  haft mcp --tools read,glob,grep --read-only -C ~/project
  haft mcp --http --port 0 --dialect claude
  haft mcp add files --read ~/notes -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  haft mcp add docs https://docs.example.com/mcp
  haft mcp test files
  haft call mcp__files__list_directory path=.

${commonHelp}`,
  options: { ...commonOptions, ...options },
  run: async (input, io) => {
    const [action = "serve", ...positionals] = input.positionals;
    if (!Object.hasOwn(actions, action)) {
      const known = Object.keys(actions).join(", ");
      throw new UsageError(`mcp can ${known}, not ${JSON.stringify(action)}.`);
    }
    const run = await (actions[action] as () => Promise<Action>)();
    return run({ ...input, positionals }, readCommonOptions(input, io), io);
  },
};
