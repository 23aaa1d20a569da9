import type { Command } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";
import { asyncSubcommands } from "./tool-async.ts";
import { toolDev } from "./tool-dev.ts";
import {
  callers,
  existing,
  invocation,
  newName,
  pages,
  path,
  states,
  tag,
  verbose,
} from "./tool-options.ts";
import { replayCommands } from "./tool-replay.ts";
import { toolSchedule } from "./tool-schedule.ts";
import { toolSet } from "./tool-set.ts";
import { versionCommands } from "./tool-versions.ts";

const groups = [platformOptions];

/** `haft tool` */
export const tool: Command = {
  subcommands: {
    init: {
      summary: "Create a folder with a working project",
      arguments: [newName],
      options: {
        runtime: {
          value: "RUNTIME",
          description: "Runtime of the tool",
          choices: ["node", "python"],
          default: "node",
        },
      },
      groups,
      examples: ["haft tool init word_count && cd word_count"],
      load: onPlatform(async () => (await import("../commands/tool/init.ts")).initTool),
    },
    list: {
      summary: "List the organization's tools",
      options: {
        tag: {
          value: "KEY:VALUE",
          description: "Only tools with this tag. VALUE can be * for any, or empty for none",
          multiple: true,
        },
        ...states,
        sort: {
          value: "FIELD",
          description: "Order of the results",
          choices: ["+name", "-name", "+deprecated", "-deprecated"],
          multiple: true,
        },
        id: { value: "ID", description: "Only the tool with this ID", multiple: true },
        ...pages,
        all: { description: "All pages" },
      },
      groups,
      examples: ["haft tool list", "haft tool list --tag team:search --all"],
      load: onPlatform(async () => (await import("../commands/tool/list.ts")).listTools),
    },
    create: {
      summary: "Create a tool, without a version yet",
      arguments: [newName],
      options: {
        description: { value: "TEXT", description: "What the tool does", required: true },
        tag,
      },
      groups,
      examples: ["haft tool create word_count --description 'Counts words' --tag team=search"],
      load: onPlatform(async () => (await import("../commands/tool/change.ts")).createTool),
    },
    show: {
      summary: "Show a tool with its versions, schemas, hosts and last invocations",
      details: "Lists who moved latest and when, and the canary.",
      arguments: [existing],
      groups,
      examples: ["haft tool show word_count"],
      load: onPlatform(async () => (await import("../commands/tool/show.ts")).showTool),
    },
    update: {
      summary: "Change a tool's description and tags",
      arguments: [existing],
      options: {
        description: { value: "TEXT", description: "What the tool does" },
        tag: { ...tag, description: "Replaces all tags. KEY alone is a tag without a value" },
      },
      groups,
      examples: ["haft tool update word_count --description 'Counts words and lines'"],
      load: onPlatform(async () => (await import("../commands/tool/change.ts")).updateTool),
    },
    env: {
      summary: "List, set and unset a tool's variables",
      details: `
Names have only capital letters and _. Values: NAME=VALUE; NAME=@FILE reads the file; NAME=@- reads
standard input. Either all changes of a call are made or none.`,
      arguments: [
        existing,
        {
          name: "ACTION",
          description: "list, set or unset. Default: list",
          optional: true,
          suggestions: ["list", "set", "unset"],
        },
        {
          name: "VARIABLE",
          description: "With set: NAME=VALUE. With unset: NAME",
          optional: true,
          repeats: true,
        },
      ],
      options: {
        secret: { description: "With set: store it as a secret, which is never shown again" },
      },
      groups,
      examples: [
        "haft tool env word_count",
        "haft tool env word_count set --secret API_KEY=@key.txt",
        "haft tool env word_count unset API_KEY",
      ],
      load: onPlatform(async () => (await import("../commands/tool/env.ts")).changeVariables),
    },
    test: {
      summary: "Check and run what is on a branch, without publishing",
      details: "Run it in a project's folder. Exits with 1 if an input failed.",
      options: {
        branch: {
          value: "BRANCH",
          description: "Branch to test",
          default: "the current branch; with --push, try/NAME",
        },
        push: { description: "First push this folder as it is to the branch" },
        path,
        input: {
          value: "JSON",
          description: "Input, up to 10 times",
          default: "{}",
          multiple: true,
        },
        env: {
          short: "e",
          value: "NAME=VALUE",
          description:
            "Variable that the tool finds in its config. NAME alone chooses a platform, as in other commands",
          multiple: true,
        },
        "secret-env": {
          value: "NAME=VALUE",
          description: "Secret for the config. NAME=@VARIABLE takes it from the environment",
          multiple: true,
        },
        ...invocation,
        verbose,
      },
      groups,
      examples: [`haft tool test --push --input '{"text": "one two"}'`],
      load: onPlatform(async () => (await import("../commands/tool/test.ts")).testTool),
    },
    dev: toolDev,
    publish: {
      summary: "Publish a version of what was pushed",
      details: "Run it in a project's folder.",
      arguments: [
        {
          name: "NAME",
          description: "Name or ID of the tool. Default: the name in tool.json",
          optional: true,
        },
      ],
      options: {
        bump: {
          value: "KIND",
          description:
            "major (breaks callers), minor (adds something) or patch (fixes something). The first version is always 1.0.0",
          choices: ["major", "minor", "patch"],
          required: true,
        },
        path,
        repo: {
          value: "REPO",
          description:
            "Branch to publish from: team is the organization's release branch, main is for shared tools",
          choices: ["team", "main"],
          default: "team",
        },
        push: { description: "First push this folder as it is to the branch that is published" },
        candidate: {
          description:
            "Leave latest and ranges as they are: only the exact version reaches it, until `haft tool promote`",
        },
        create: {
          description:
            "Create the tool if it does not exist. If publishing fails, it is removed again",
        },
        verbose,
      },
      groups,
      examples: [
        "haft tool publish --push --create --bump minor",
        "haft tool publish --push --candidate --bump minor",
      ],
      load: onPlatform(async () => (await import("../commands/tool/publish.ts")).publishTool),
    },
    versions: {
      summary: "List a tool's versions",
      arguments: [existing],
      options: {
        constraint: { value: "RANGE", description: "Only these versions, such as '>=1.2,<2'" },
        ...states,
        sort: {
          value: "FIELD",
          description: "Order of the results, such as -version",
          multiple: true,
        },
        creator: { value: "ORG,USER", description: "Only versions by this user", multiple: true },
        ...pages,
      },
      groups,
      examples: [
        "haft tool versions word_count",
        "haft tool versions word_count --constraint '>=1,<2'",
      ],
      load: onPlatform(async () => (await import("../commands/tool/versions.ts")).listVersions),
    },
    ...versionCommands,
    ...asyncSubcommands,
    logs: {
      summary: "Show invocations, their results and what they printed",
      details: `
Lists the last 10 lines that each invocation printed to stdout and stderr. With the ID of an
invocation, shows all that is kept: the first and the last 32 KB of each stream, secrets masked.
With --follow, also shows what running invocations print, about once a second.`,
      arguments: [
        {
          ...existing,
          optional: true,
          description: "Name or ID of the tool, or ID of an invocation. Default: all tools",
        },
      ],
      options: {
        search: {
          value: "TEXT",
          description: "Only invocations whose output, error or logs contain these words",
        },
        failed: { description: "Only invocations that failed" },
        ...callers,
        limit: { value: "N", description: "Maximum number of invocations", default: "20" },
        follow: { short: "f", description: "Keep printing new invocations. Stop with Ctrl-C" },
      },
      groups,
      examples: [
        "haft tool logs word_count --failed",
        "haft tool logs word_count -f",
        "haft tool logs --key ci --source mcp --client claude-code",
        "haft tool logs word_count --input order.id=7 --source conversation",
        "haft tool logs 670a1234567890abcdef1234 --json",
      ],
      load: onPlatform(async () => (await import("../commands/tool/logs.ts")).showLogs),
    },
    schedule: toolSchedule,
    set: toolSet,
    ...replayCommands,
  },
};
