import type { ArgumentDeclaration, Command } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";

const groups = [platformOptions];

const item: ArgumentDeclaration = {
  name: "ID",
  description: "ID of the item. `haft inbox` shows them",
};

/** `haft inbox` */
export const inbox: Command = {
  details: `
Two kinds of items wait for a person: calls of sessions on this machine that need approval or ask a
question (haft agent, haft call and haft mcp with --wait), and questions of published tools. Calls of sessions need no server
and no key. See docs/guides/waiting.md.`,
  defaultSubcommand: "list",
  subcommands: {
    list: {
      summary: "List what waits for an answer, the oldest first",
      options: {
        state: {
          value: "STATE",
          description: "Which items",
          choices: ["waiting", "answered", "expired", "cancelled"],
          default: "waiting",
          multiple: true,
        },
      },
      groups,
      examples: ["haft inbox", "haft inbox list --state answered --json"],
      load: onPlatform(async () => (await import("../commands/inbox.ts")).listInbox),
    },
    show: {
      summary: "Show a question with the call that it belongs to and its answers",
      arguments: [item],
      groups,
      examples: ["haft inbox show 670a1234567890abcdef1234"],
      load: onPlatform(async () => (await import("../commands/inbox.ts")).showItem),
    },
    answer: {
      summary: "Answer a question, so that the call or the tool continues",
      details: `
The first answer counts. A later one is refused, and says who answered. A call of a session is judged
again before it runs: if its rules or files have changed since, it is refused.`,
      arguments: [
        item,
        {
          name: "ANSWER",
          description:
            "For a call of a session: once, always (in its session), project (always in its workspace) or no. For a question of a session: an option or text, JSON for several. For a published tool: JSON that matches the schema of the question; other text is sent as a string",
          suggestions: ["once", "always", "project", "no"],
        },
      ],
      options: {
        reason: { value: "TEXT", description: "With no: what the model is told" },
      },
      groups,
      examples: [
        `haft inbox answer 670a1234567890abcdef1234 '{"approved": true}'`,
        "haft inbox answer 4e0fbd4c0a7c4c6f9a1d6b8f2f9f0d31 once",
        "haft inbox answer 4e0fbd4c0a7c4c6f9a1d6b8f2f9f0d31 no --reason 'use the staging database'",
      ],
      load: onPlatform(async () => (await import("../commands/inbox.ts")).answerItem),
    },
    link: {
      summary: "Make a link with which anyone who has it can answer, once",
      details: `
The link shows a page with the question. It works until the deadline of the question, for at most seven
days, and as long as the API key that made it is valid. Send it like a password.`,
      arguments: [
        item,
        {
          name: "ANSWER",
          description: "The only answer that the link gives. Default: the person chooses",
          optional: true,
        },
      ],
      groups,
      examples: [
        "haft inbox link 670a1234567890abcdef1234",
        "haft inbox link 670a1234567890abcdef1234 true",
      ],
      load: onPlatform(async () => (await import("../commands/inbox.ts")).linkItem),
    },
  },
};
