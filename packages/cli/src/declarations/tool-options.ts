import type { ArgumentDeclaration, OptionDeclaration, OptionTable } from "../command.ts";

/** The tool that a subcommand is about. */
export const existing: ArgumentDeclaration = {
  name: "NAME",
  description: "Name or ID of the tool. `haft tool list` shows them",
};

/** An exact version of the tool. */
export const version: ArgumentDeclaration = {
  name: "VERSION",
  description: "Exact version, such as 1.2.3. `haft tool versions` shows them",
};

/** The name of a new tool. */
export const newName: ArgumentDeclaration = {
  name: "NAME",
  description: "Name of the tool: up to 64 lowercase letters, digits and _",
};

/** The folder of a tool's project. */
export const path: OptionDeclaration = {
  value: "DIR",
  description: "Folder of the project",
  default: "the current directory",
  completes: "directory",
};

/** The tags of a tool. */
export const tag: OptionDeclaration = {
  value: "KEY=VALUE",
  description: "Tag of the tool. KEY alone is a tag without a value",
  multiple: true,
};

/** Options of lists that come in pages. */
export const pages: OptionTable = {
  limit: { value: "N", description: "Results per page, 1 to 20" },
  token: { value: "N", description: "Continue where the previous page ended" },
};

/** Options that choose between deprecated and active ones. */
export const states: OptionTable = {
  deprecated: { description: "Only deprecated ones" },
  active: { description: "Only those that are not deprecated" },
};

/** Options that choose invocations by their caller and input. */
export const callers: OptionTable = {
  input: {
    value: "PATH=VALUE",
    description: "Only invocations whose input has this value, such as order.id=7",
    multiple: true,
  },
  key: {
    value: "KEY",
    description: "Only invocations with this API key: its ID or name",
    multiple: true,
  },
  user: {
    value: "ID",
    description: "Only invocations with API keys of this user",
    multiple: true,
  },
  client: {
    value: "NAME",
    description: "Only invocations by clients whose name begins like this, such as curl",
    multiple: true,
  },
  source: {
    value: "SOURCE",
    description: "Only invocations from this source",
    choices: ["direct", "conversation", "simulation", "mcp", "schedule"],
    multiple: true,
  },
};

/** Shows more output. */
export const verbose: OptionDeclaration = {
  short: "v",
  description: "Show the output of the checks and the build",
};

/** Options of everything that runs a tool. */
export const invocation: OptionTable = {
  mode: {
    value: "MODE",
    description: "Mode of the invocation",
    choices: ["regular", "conversation-simulation"],
    default: "regular",
  },
  "user-variable": {
    value: "NAME=VALUE",
    description: "User variable for the tool",
    multiple: true,
  },
  "sensitive-user-variable": {
    value: "NAME=VALUE",
    description: "The same, but not recorded. NAME=@VARIABLE takes it from the environment",
    multiple: true,
  },
};
