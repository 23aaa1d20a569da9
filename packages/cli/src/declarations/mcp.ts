import type { ArgumentDeclaration, Command, OptionTable } from "../command.ts";
import { withCommonOptions } from "./loaders.ts";
import { commonOnly, commonOptions, waitOption } from "./option-groups.ts";

const served: OptionTable = {
  tools: { value: "NAMES", description: "Show and allow only these tools, separated by commas" },
  "read-only": { description: "Show no tool that changes files. Commands cannot write either" },
  structured: {
    description:
      "Send results as structured data with output schemas, for programs, instead of text",
  },
  "max-bytes": {
    value: "N",
    description: "Maximum size of a result. The rest is in a file that the result names",
    default: "what the client shows its model, at most 30720",
  },
};

const server: ArgumentDeclaration = {
  name: "NAME",
  description: "Name of the server. `haft mcp list` shows them",
};

const connecting = [
  commonOnly(
    "workspace",
    "root",
    "session",
    "yes",
    "headless",
    "sandbox",
    "allow-host",
    "pass-env",
    "json",
  ),
];

/** `haft mcp` */
export const mcp: Command = {
  details: `
The tools that a server offers are pinned when you add it. If the server changes the definition of a
tool, the tool cannot be used until you accept the change. Servers belong to the workspace but are
stored outside it, so a repository cannot add any.`,
  defaultSubcommand: "serve",
  subcommands: {
    serve: {
      summary: "Serve the tools on standard input and output, or over HTTP",
      options: {
        http: {
          description:
            "Serve over HTTP at http://127.0.0.1:PORT/mcp. Clients need a token: HAFT_TOKEN, else a new one that is printed with the address",
        },
        port: {
          value: "N",
          description: "Port to listen on, with --http. 0 is any free port",
          default: "7424",
        },
        ...served,
        ...waitOption("1h, and with --headless 0s: refuse them"),
      },
      groups: [commonOptions],
      examples: [
        "haft mcp --tools read,glob,grep --read-only -C ~/project",
        "haft mcp --http --port 0 --dialect claude",
      ],
      load: withCommonOptions(async () => (await import("../commands/mcp/serve.ts")).serveMcp),
    },
    install: {
      summary: "Add Haft to the settings of an MCP client",
      details: `
The entry has the dialect of the client's models, unless --dialect chooses another, and the common
options that you give. --yes replaces an entry of the same name. Settings of a project start npx haft.`,
      arguments: [
        {
          name: "CLIENT",
          description:
            "claude, codex, gemini, opencode, cursor, zed, vscode or windsurf. Without it: list the clients on this machine",
          optional: true,
          suggestions: [
            ...["claude", "codex", "gemini", "opencode", "cursor", "zed"],
            ...["vscode", "windsurf"],
          ],
        },
      ],
      options: {
        print: { description: "Print the configuration and write nothing" },
        scope: {
          value: "SCOPE",
          description: "user (all your projects) or project (this workspace)",
          default: "depends on the client",
          choices: ["user", "project"],
        },
        name: {
          value: "NAME",
          description: "Name of the entry in the client",
          default: "haft; with --org, the name of the set or haft-tools",
        },
        org: {
          value: "ORG",
          description:
            "Use the MCP endpoint of this organization (ID or name) instead of the workspace's tools. See docs/guides/platform.md",
        },
        set: { value: "NAME", description: "With --org: only the tools of this tool set" },
        "key-env": {
          value: "VARIABLE",
          description:
            "With --org: environment variable from which the client takes the API key. The key itself is never written",
          default: "HAFT_API_KEY",
        },
        env: {
          value: "NAME",
          multiple: true,
          description: "With --org: a platform that was added with haft env add",
        },
        ...served,
      },
      groups: [commonOptions],
      examples: [
        "haft mcp install claude",
        "haft mcp install codex --print",
        "haft mcp install claude --org acme --set support",
      ],
      load: withCommonOptions(async () => (await import("../commands/mcp/install.ts")).installMcp),
    },
    add: {
      summary: "Use the tools of an MCP server: a program, or a remote server",
      details: `
A server that is a program runs in a sandbox of its own. By default it can read and write the workspace
and reach no host. In values, \${NAME} is replaced by your environment variable when the server starts.`,
      arguments: [
        {
          name: "NAME",
          description:
            "Name for the server: up to 31 letters, digits, - and single _, such as files",
        },
        {
          name: "TARGET",
          description: "Address of a remote server, or -- and the command that starts the program",
          repeats: true,
        },
      ],
      options: {
        read: {
          value: "DIR",
          description: "Also let it read this directory",
          multiple: true,
          completes: "directory",
        },
        write: {
          value: "DIR",
          description: "Let it write in this directory instead of the workspace",
          multiple: true,
          completes: "directory",
        },
        "no-write": { description: "Let it write nowhere" },
        "allow-host": {
          value: "HOST[:PORT]",
          description:
            "Let it reach this host. For a remote server: a further private host, such as its login server",
          multiple: true,
        },
        env: {
          value: "NAME=VALUE",
          description: "Environment variable for the program. --pass-env NAME passes one of yours",
          multiple: true,
        },
        header: {
          value: "'NAME: VALUE'",
          description: "Header to send with every request to a remote server",
          multiple: true,
        },
        "client-id": {
          value: "ID",
          description: "OAuth client ID, for a remote server that does not register clients",
        },
      },
      groups: connecting,
      examples: [
        "haft mcp add files --read ~/notes -- npx -y @modelcontextprotocol/server-filesystem ~/notes",
        "haft mcp add docs https://docs.example.com/mcp",
        "haft call mcp__files__list_directory path=.",
      ],
      load: withCommonOptions(async () => (await import("../commands/mcp/add.ts")).addServer),
    },
    list: {
      summary: "List the MCP servers of the workspace, without connecting",
      groups: [commonOnly("workspace", "json")],
      examples: ["haft mcp list"],
      load: withCommonOptions(async () => (await import("../commands/mcp/list.ts")).listServers),
    },
    remove: {
      summary: "Remove an MCP server",
      arguments: [server],
      groups: [commonOnly("workspace", "json")],
      examples: ["haft mcp remove files"],
      load: withCommonOptions(async () => (await import("../commands/mcp/list.ts")).removeServer),
    },
    test: {
      summary: "Connect to a server and print its tools",
      arguments: [server],
      groups: connecting,
      examples: ["haft mcp test files"],
      load: withCommonOptions(async () => (await import("../commands/mcp/test.ts")).testServer),
    },
    accept: {
      summary: "Show what a server changed, and accept it",
      arguments: [server],
      groups: connecting,
      examples: ["haft mcp accept files"],
      load: withCommonOptions(async () => (await import("../commands/mcp/accept.ts")).acceptServer),
    },
    login: {
      summary: "Log in to a remote server (OAuth)",
      arguments: [server],
      groups: connecting,
      examples: ["haft mcp login docs"],
      load: withCommonOptions(async () => (await import("../commands/mcp/login.ts")).loginServer),
    },
    import: {
      summary: "Import servers from .mcp.json or from a client's settings",
      arguments: [
        {
          name: "SOURCE",
          description: "File, or client such as claude. Default: .mcp.json of the workspace",
          optional: true,
          completes: "file",
        },
      ],
      options: { "dry-run": { description: "Import nothing. Only show what would be imported" } },
      groups: connecting,
      examples: ["haft mcp import --dry-run", "haft mcp import claude"],
      load: withCommonOptions(
        async () => (await import("../commands/mcp/import.ts")).importServers,
      ),
    },
  },
};
