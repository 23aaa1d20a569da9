import { eventTypes } from "@haft/platform/internal/client";
import type { ArgumentDeclaration, Command, OptionTable } from "../command.ts";
import { onPlatform } from "./loaders.ts";
import { platformOptions } from "./option-groups.ts";

const groups = [platformOptions];

const existing: ArgumentDeclaration = {
  name: "ID",
  description: "ID of the webhook. `haft webhook` shows them",
};
const example = "670a1234567890abcdef1234";

const fields: OptionTable = {
  event: {
    value: "TYPE",
    description: "An event to send",
    choices: eventTypes,
    multiple: true,
  },
  tool: { value: "NAME", description: "Only events of this tool", multiple: true },
  tag: {
    value: "KEY:VALUE",
    description: "Only events of tools with this tag. KEY:* for any value",
    multiple: true,
  },
  description: { value: "TEXT", description: "What it is for" },
  links: { description: "Send one-time links to answer with inbox.waiting" },
  synchronous: { description: "Count invocations that answered their caller directly, too" },
  sessions: {
    description: "Count calls of sessions on the server's machine in events of the inbox, too",
  },
};

const off: OptionTable = {
  "no-links": { description: "Send no links" },
  "no-synchronous": { description: "Count asynchronous invocations only" },
  "no-sessions": { description: "Count no calls of sessions" },
  "all-tools": { description: "Send events of all tools" },
};

/** `haft webhook` */
export const webhook: Command = {
  defaultSubcommand: "list",
  subcommands: {
    add: {
      summary: "Add an address that is told of events, and print its secret",
      details: `
Events are signed with the secret after Standard Webhooks. It is shown only once. Without --event, the
webhook hears only of asynchronous invocations that name it (haft tool invoke --async --webhook ID).`,
      arguments: [{ name: "URL", description: "Where events are sent. https" }],
      options: { ...fields, disabled: { description: "Send nothing yet" } },
      groups,
      examples: [
        "haft webhook add https://example.com/haft --event inbox.waiting --links",
        "haft webhook add https://example.com/haft --event invocation.failed --tool refund",
        "haft webhook add https://example.com/haft --event inbox.waiting --sessions --links",
      ],
      load: onPlatform(async () => (await import("../commands/webhook/webhooks.ts")).addWebhook),
    },
    list: {
      summary: "List the organization's webhooks",
      groups,
      examples: ["haft webhook", "haft webhook list --json"],
      load: onPlatform(async () => (await import("../commands/webhook/webhooks.ts")).listWebhooks),
    },
    show: {
      summary: "Show a webhook",
      arguments: [existing],
      groups,
      examples: [`haft webhook show ${example}`],
      load: onPlatform(async () => (await import("../commands/webhook/webhooks.ts")).showWebhook),
    },
    update: {
      summary: "Change, enable or disable a webhook, or rotate its secret",
      arguments: [existing],
      options: {
        url: { value: "URL", description: "Where events are sent" },
        ...fields,
        ...off,
        enable: { description: "Send events, and forget failures" },
        disable: { description: "Send nothing" },
        "rotate-secret": {
          description: "Make a new secret and print it. For 24 hours, both sign",
        },
        "overlap-hours": {
          value: "N",
          description: "With --rotate-secret: how long the old secret signs, too",
        },
      },
      groups,
      examples: [
        `haft webhook update ${example} --event inbox.waiting --event inbox.answered`,
        `haft webhook update ${example} --enable`,
        `haft webhook update ${example} --rotate-secret --overlap-hours 48`,
      ],
      load: onPlatform(async () => (await import("../commands/webhook/webhooks.ts")).updateWebhook),
    },
    remove: {
      summary: "Remove a webhook with its deliveries",
      details: "Links that it sent stop working.",
      arguments: [existing],
      groups,
      examples: [`haft webhook remove ${example}`],
      load: onPlatform(async () => (await import("../commands/webhook/webhooks.ts")).removeWebhook),
    },
    test: {
      summary: "Send the event webhook.test once, and print how that went",
      details: "Exits with 1 unless the receiver answered with a status of 200 to 299.",
      arguments: [existing],
      groups,
      examples: [`haft webhook test ${example}`],
      load: onPlatform(async () => (await import("../commands/webhook/deliveries.ts")).testWebhook),
    },
    deliveries: {
      summary: "List what was sent to a webhook and how it answered, the newest first",
      arguments: [existing],
      options: {
        state: {
          value: "STATE",
          description: "Only deliveries in this state",
          choices: ["pending", "sending", "succeeded", "failed"],
        },
        limit: { value: "N", description: "Maximum number of deliveries", default: "50" },
      },
      groups,
      examples: [
        `haft webhook deliveries ${example}`,
        `haft webhook deliveries ${example} --state failed --json`,
      ],
      load: onPlatform(
        async () => (await import("../commands/webhook/deliveries.ts")).listDeliveries,
      ),
    },
    replay: {
      summary: "Send deliveries again, with the same IDs: some, or all that failed",
      arguments: [
        existing,
        {
          name: "DELIVERY",
          description: "IDs of deliveries. Default: all that failed",
          optional: true,
          repeats: true,
        },
      ],
      options: {
        since: { value: "TIME", description: "Only those since then: 2h, or 2026-01-31T12:00:00Z" },
      },
      groups,
      examples: [
        `haft webhook replay ${example} --since 2h`,
        `haft webhook replay ${example} msg_670a1234567890abcdef1234`,
      ],
      load: onPlatform(
        async () => (await import("../commands/webhook/deliveries.ts")).replayDeliveries,
      ),
    },
  },
};
