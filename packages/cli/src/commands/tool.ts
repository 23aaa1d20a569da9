import type { Command, CommandInput, OptionTable } from "../command.ts";
import { environmentHelp, environmentOptions } from "../environments/environment-options.ts";
import { reportPlatformErrors } from "../environments/report-platform-error.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../usage-error.ts";

type Action = (input: CommandInput, io: Io) => Promise<number>;

const actions: Readonly<Record<string, () => Promise<Action>>> = {
  init: async () => (await import("./tool/init.ts")).initTool,
  list: async () => (await import("./tool/list.ts")).listTools,
  show: async () => (await import("./tool/show.ts")).showTool,
  create: async () => (await import("./tool/create.ts")).createTool,
  update: async () => (await import("./tool/update.ts")).updateTool,
  env: async () => (await import("./tool/env.ts")).changeVariables,
  test: async () => (await import("./tool/test.ts")).testTool,
  publish: async () => (await import("./tool/publish.ts")).publishTool,
  versions: async () => (await import("./tool/versions.ts")).listVersions,
  invoke: async () => (await import("./tool/invoke.ts")).invokeTool,
  logs: async () => (await import("./tool/logs.ts")).showLogs,
  deprecate: async () => (await import("./tool/deprecate.ts")).deprecateTool,
};

const options: OptionTable = {
  runtime: { type: "string" },
  description: { type: "string" },
  tag: { type: "string", multiple: true },
  deprecated: { type: "boolean" },
  active: { type: "boolean" },
  sort: { type: "string", multiple: true },
  limit: { type: "string" },
  id: { type: "string", multiple: true },
  token: { type: "string" },
  all: { type: "boolean" },
  version: { type: "string" },
  versions: { type: "string" },
  constraint: { type: "string" },
  creator: { type: "string", multiple: true },
  mode: { type: "string" },
  "user-variable": { type: "string", multiple: true },
  "sensitive-user-variable": { type: "string", multiple: true },
  "idempotency-key": { type: "string" },
  status: { type: "boolean" },
  path: { type: "string" },
  bump: { type: "string" },
  create: { type: "boolean" },
  push: { type: "boolean" },
  branch: { type: "string" },
  input: { type: "string", multiple: true },
  secret: { type: "boolean" },
  "secret-env": { type: "string", multiple: true },
  search: { type: "string" },
  failed: { type: "boolean" },
  follow: { type: "boolean", short: "f" },
  verbose: { type: "boolean", short: "v" },
  yes: { type: "boolean" },
};

/** `haft tool` */
export const tool: Command = {
  help: `Make, publish, invoke and retire an organization's tools.

Usage: haft tool init NAME                     make a folder with a project that works
       haft tool list                          the organization's tools
       haft tool create | show | update NAME   a tool's name, description and tags
       haft tool env NAME [list | set | unset] a tool's variables, plain and secret
       haft tool test                          check and run what is on a branch, without publishing
       haft tool publish [NAME] --bump KIND    make a version of what was pushed
       haft tool versions NAME                 a tool's versions
       haft tool invoke NAME [INPUT]           run a version
       haft tool logs [NAME]                   what was invoked, and how it went
       haft tool deprecate NAME                retire a tool, or some of its versions

NAME is a tool's name or id. list and invoke print what the platform answers, as JSON.

init:
      --runtime R       node (default) or python
list:
      --tag KEY:VALUE   repeatable; VALUE may be * for any, or nothing for none
      --deprecated      only those; --active: only the others
      --sort FIELD      +name, -name, +deprecated or -deprecated, repeatable
      --id ID           repeatable; --limit N (1 to 20); --token N: go on there; --all: every page
create, update:
      --description TEXT
      --tag KEY=VALUE   repeatable; KEY alone has no value; update replaces all tags
env NAME set NAME=VALUE…, env NAME unset NAME…:
      --secret          with set: never shown again; NAME=@FILE takes the file's text, NAME=@- what
                        is on standard input
test, in a project's folder:
      --branch B        which branch (default: the one you are on)
      --push            push this folder as it is first, to try/NAME unless --branch says where
      --path DIR        the project's folder (default: this one)
      --input JSON      repeatable, up to 10 (default: {})
      --env NAME=VALUE, --secret-env NAME=VALUE|NAME=@VARIABLE
                        what the tool finds in config; @ takes a variable of yours
publish, in a project's folder:
      --bump KIND       major, minor or patch; the first version is 1.0.0 whatever it says
      --path DIR        the project's folder (default: this one)
      --push            push this folder as it is to the branch that is published first
      --create          make the tool if there is none of that name
  -v, --verbose         show what the checks and the build print
versions:
      --constraint C    such as '>=1.2,<2'; --deprecated, --active, --sort, --creator ORG,USER
invoke NAME JSON | NAME=VALUE… | -:
      --version V       1.2.3, latest (default) or a constraint
      --mode M          regular (default) or conversation-simulation
      --user-variable NAME=VALUE, --sensitive-user-variable NAME=VALUE|NAME=@VARIABLE
      --idempotency-key K
                        the same key and input give the first answer again
      --status          tell what the tool says while it runs, on standard error
                        A JSON array stands for several inputs, up to 10. Exits with 1 if one failed.
logs:
      --search TEXT, --failed, --limit N, -f, --follow
deprecate:
      --versions C      only these versions, such as '<2'
      --yes             do not ask

Examples:
  haft tool init word_count && cd word_count
  haft tool publish --push --create --bump minor
  haft tool invoke word_count '{"text": "one two"}'
  haft tool invoke word_count text='one two' --version '>=1,<2'
  haft tool env word_count set --secret API_KEY=@key.txt
  haft tool logs word_count --failed
  haft tool deprecate word_count --versions '<2' --yes

${environmentHelp}`,
  options: { ...environmentOptions, ...options },
  run: async (input, io) => {
    const [action, ...positionals] = input.positionals;
    const known = Object.keys(actions).join(", ");
    if (action === undefined) throw new UsageError(`What about a tool? tool can ${known}.`);
    if (!Object.hasOwn(actions, action)) {
      throw new UsageError(`tool can ${known}, not ${JSON.stringify(action)}.`);
    }
    const run = await (actions[action] as () => Promise<Action>)();
    const given = { ...input, positionals };
    return reportPlatformErrors(given, io, () => run(given, io));
  },
};
