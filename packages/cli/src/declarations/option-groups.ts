import type { OptionDeclaration, OptionGroup, OptionTable } from "../command.ts";

type CommonName =
  | "workspace"
  | "root"
  | "dialect"
  | "session"
  | "rule"
  | "yes"
  | "headless"
  | "sandbox"
  | "review"
  | "allow-host"
  | "pass-env"
  | "watchdog"
  | "hooks"
  | "mount"
  | "published"
  | "simulate"
  | "max-definition-tokens"
  | "trust-project"
  | "code"
  | "json";

const common: Readonly<Record<CommonName, OptionDeclaration>> = {
  workspace: {
    short: "C",
    value: "DIR",
    description: "Workspace directory",
    default: "the current directory",
    completes: "directory",
  },
  root: {
    value: "DIR[:rw]",
    description:
      "Directory beside the workspace that tools and commands may read, and with :rw also change",
    multiple: true,
    completes: "directory",
  },
  dialect: {
    value: "NAME",
    description: "Tool names and schemas to use",
    choices: ["portable", "amp", "claude", "codex", "gemini"],
    default: "portable",
  },
  session: { value: "NAME", description: "Session of the workspace", default: "default" },
  rule: {
    value: "RULE",
    description: "Rule for this run: 'PERMISSION PATTERN ACTION'",
    multiple: true,
  },
  yes: { description: "Approve every call that needs approval. Denials still apply" },
  headless: { description: "Never prompt, even in a terminal" },
  sandbox: {
    value: "MODE",
    description:
      "Where commands run: required (only in the sandbox), auto (in the sandbox if this machine has one) or off",
    choices: ["required", "auto", "off"],
    default: "HAFT_SANDBOX, else auto",
  },
  review: {
    value: "MODE",
    description:
      "How commands are judged that no rule decides about: effects (they run on a layer without network, and you are asked about what they changed), words (you are asked before they run) or off (they run on a layer, and what no rule denies is applied). Where no layer is available, you are asked before they run",
    choices: ["effects", "words", "off"],
    default: "effects",
  },
  "allow-host": {
    value: "HOST[:PORT]",
    description:
      "Let tools reach this host even if it is private, and let commands reach it at all",
    multiple: true,
  },
  "pass-env": {
    value: "NAME[,NAME…]",
    description:
      "Pass these environment variables to commands, which otherwise get only harmless ones such as PATH, LANG and JAVA_HOME. Values that look like secrets are masked in results. haft doctor lists what commands do not get",
    multiple: true,
  },
  watchdog: {
    value: "FILE",
    description: "Program that checks every call before it runs. See docs/guides/safety.md",
    default: "HAFT_WATCHDOG",
    completes: "file",
  },
  hooks: {
    value: "[AGENT:]FILE",
    description:
      "Run the hooks of a settings file of Claude Code, Codex or Gemini CLI, beside those of haft hooks import. AGENT is claude, codex or gemini, if the file does not show it. See docs/guides/hooks.md",
    multiple: true,
    completes: "file",
  },
  mount: {
    value: "PLAN",
    description: "Mount the modules of a plan (YAML or JSON). See docs/guides/modules.md",
    multiple: true,
    completes: "file",
  },
  published: {
    value: "FILE",
    description:
      "Add the organization's tools that the tool-call specs or states in FILE (JSON) name, from the platform of HAFT_URL or haft serve. See docs/guides/platform.md",
    completes: "file",
  },
  simulate: {
    description:
      "Invoke the tools of --published in the mode conversation-simulation, whatever mode the file names",
  },
  "max-definition-tokens": {
    value: "N",
    description:
      "Maximum number of tokens that the definitions of all tools may take. If they take more, a model finds tools that are not built in with tool_search. haft tools --cost shows what they take",
    default: "8000",
  },
  "trust-project": {
    description: "Trust everything the workspace contains, for this run only. See haft trust",
  },
  code: {
    description:
      "Add run_code (exec and wait with --dialect codex): a model writes programs that call the tools, in a sandbox. See docs/guides/programs.md",
  },
  json: { description: "Print only the result, as JSON, on standard output" },
};

/** Every common option: for commands that open a workspace and make calls. */
export const commonOptions: OptionGroup = { title: "Common options", options: common };

/** The common options without some of them. */
export function commonWithout(...names: readonly CommonName[]): OptionGroup {
  const kept = Object.entries(common).filter(([name]) => !names.includes(name as CommonName));
  return { title: "Common options", options: Object.fromEntries(kept) };
}

/** Only these common options. */
export function commonOnly(...names: readonly CommonName[]): OptionGroup {
  const kept = Object.entries(common).filter(([name]) => names.includes(name as CommonName));
  return { title: "Common options", options: Object.fromEntries(kept) };
}

/** The option that commands with results in JSON share. */
export const jsonOption: OptionTable = { json: common.json };

/** The shape in which `--json` prints results. */
export const envelopeOption: OptionTable = {
  envelope: {
    value: "NAME",
    description:
      'Shape of results with --json: haft, or amp ({"status", "result", "trackFiles"} or {"status", "error"})',
    choices: ["haft", "amp"],
    default: "amp with --dialect amp, else haft",
  },
};

/** How long calls wait for a person's answer. The default differs by command. */
export function waitOption(whenOmitted: string): OptionTable {
  return {
    wait: {
      value: "DURATION",
      description:
        "Where no person can be asked, let approvals and questions wait this long (30m, 2h, 1d) for haft inbox answer, instead of refusing the calls. See docs/guides/waiting.md",
      default: whenOmitted,
    },
  };
}

const env: OptionDeclaration = {
  short: "e",
  value: "NAME",
  multiple: true,
  description: "A platform that was added with haft env add",
};

/** For commands that talk to a platform. */
export const platformOptions: OptionGroup = {
  title: "Platform",
  options: {
    env,
    data: {
      value: "DIR",
      description: "The platform that runs on this data directory",
      completes: "directory",
    },
    json: common.json,
  },
  note: "Without --env and --data: HAFT_URL and HAFT_API_KEY, else HAFT_DATA, else the platform that haft serve starts here. The API key determines the organization.",
};

/** For commands that work on a platform's store directly. */
export const storeOptions: OptionGroup = {
  title: "Store",
  options: {
    data: {
      value: "DIR",
      description: "Data directory",
      default: "HAFT_DATA, else the directory that haft serve uses",
      completes: "directory",
    },
    database: {
      value: "URL",
      description: "PostgreSQL database that the platform uses instead of a file",
    },
    json: common.json,
  },
  note: "A server may be running on the same store.",
};

/** For commands about roles and keys. */
export const accessOptions: OptionGroup = {
  title: "Platform",
  options: {
    env,
    data: {
      value: "DIR",
      description: "The platform on this data directory, or its store if no server is running",
      completes: "directory",
    },
    database: {
      value: "URL",
      description: "PostgreSQL database of a platform, used without its server",
    },
    organization: {
      value: "ID",
      description: "ID or name of the organization, if the store has several",
    },
    json: common.json,
  },
  note: "Without any of these: HAFT_URL and HAFT_API_KEY, else HAFT_DATA, else the platform that haft serve starts here.",
};
