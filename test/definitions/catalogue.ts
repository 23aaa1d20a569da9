import type { ObjectSchema } from "@haft/contract";

/** A tool of a server as its author would describe it. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ObjectSchema;
}

/** A search, and the tool that it should find. */
export interface Search {
  readonly query: string;
  readonly name: string;
}

/** The tools of ten ordinary services: 741 in all, always the same. */
export function listTools(): readonly ListedTool[] {
  return combinations().map(({ name, description, thing }) => ({
    name,
    description,
    parameters: toParameters(thing.name),
  }));
}

/** Searches by what a tool does, in other words than its name. */
export function listSearches(count: number): readonly Search[] {
  const all = combinations();
  // A step without a common factor with the length, so that every service and action takes part.
  return Array.from({ length: count }, (_, at) => {
    const { name, thing, action, service } = all[(at * 37) % all.length] as Combination;
    const phrase = action.asked[Math.floor(at / 6) % action.asked.length] as string;
    const query = phrase.replace("%", thing.asked);
    const namesService = Math.floor(at / 18) % 3 === 0;
    return { name, query: namesService ? `${query} ${service.asked}` : query };
  });
}

interface Combination {
  readonly name: string;
  readonly description: string;
  readonly service: Service;
  readonly thing: Thing;
  readonly action: Action;
}

const size = 741;

function combinations(): readonly Combination[] {
  return services
    .flatMap((service) =>
      service.things.flatMap((thing) =>
        actions.map((action) => ({
          name: `mcp__${service.name}__${action.name}_${thing.name}`,
          description: `${action.described.replace("%", thing.described)} ${service.described}`,
          service,
          thing,
          action,
        })),
      ),
    )
    .slice(0, size);
}

function toParameters(thing: string): ObjectSchema {
  return {
    type: "object",
    properties: {
      [`${thing}_id`]: { type: "string", description: `Identifier of the ${thing}.` },
      fields: {
        type: "object",
        description: "Values to set, by field.",
        additionalProperties: true,
      },
      limit: { type: "integer", minimum: 1, maximum: 100, description: "Page size. Default: 20." },
      cursor: { type: "string", description: "Where the next page starts." },
    },
    required: [`${thing}_id`],
  };
}

interface Action {
  readonly name: string;
  readonly described: string;
  readonly asked: readonly string[];
}

const actions: readonly Action[] = [
  {
    name: "create",
    described: "Adds a new %.",
    asked: ["add a new %", "new %", "I need to set up another %"],
  },
  {
    name: "get",
    described: "Returns the details of one %.",
    asked: ["details of one %", "show the details of this %", "look up a single %"],
  },
  {
    name: "list",
    described: "Returns all entries of kind %, page by page.",
    asked: ["all entries of kind %", "every % page by page", "enumerate every %"],
  },
  {
    name: "update",
    described: "Changes fields of an existing %.",
    asked: ["change an existing %", "change a field of the %", "edit the %"],
  },
  {
    name: "delete",
    described: "Removes a % permanently.",
    asked: ["remove a %", "permanently remove the %", "get rid of a %"],
  },
  {
    name: "export",
    described: "Downloads a % as a CSV file.",
    asked: ["download a % as csv", "csv file of the %", "save a % as a spreadsheet file"],
  },
];

interface Thing {
  /** In the name of a tool. */
  readonly name: string;
  readonly described: string;
  /** In a search: other words than the name. */
  readonly asked: string;
}

interface Service {
  readonly name: string;
  readonly described: string;
  readonly asked: string;
  readonly things: readonly Thing[];
}

function things(...rows: readonly (readonly [string, string, string])[]): readonly Thing[] {
  return rows.map(([name, described, asked]) => ({ name, described, asked }));
}

const services: readonly Service[] = [
  {
    name: "forge",
    described: "Part of the code hosting service.",
    asked: "in code hosting",
    things: things(
      ["repo", "source code repository", "source code repository"],
      ["pr", "pull request with proposed commits", "pull request"],
      ["review", "reviewer's verdict on proposed commits", "reviewer verdict"],
      ["branch", "line of development", "line of development"],
      ["release", "published version with notes", "published version"],
      ["workflow", "continuous integration pipeline", "continuous integration pipeline"],
      ["runner", "machine that builds code", "build machine"],
      ["gist", "shared code snippet", "shared snippet"],
      ["webhook", "callback URL for repository events", "callback url"],
      ["deploy_key", "SSH key for deployments", "ssh key for deployments"],
      ["collaborator", "person with access to the source", "person with source access"],
      ["milestone", "planned date for a set of work", "planned date"],
      ["artifact", "binary built by the pipeline", "built binary"],
    ),
  },
  {
    name: "tracker",
    described: "Part of the issue tracker.",
    asked: "in the tracker",
    things: things(
      ["issue", "bug report or ticket", "bug report"],
      ["epic", "large goal that groups tickets", "large goal for tickets"],
      ["sprint", "two-week iteration", "two-week iteration"],
      ["board", "kanban view of work", "kanban view"],
      ["label", "coloured tag of a ticket", "coloured ticket tag"],
      ["worklog", "hours spent on a ticket", "hours spent"],
      ["component", "subsystem that tickets belong to", "subsystem"],
      ["watcher", "follower of a ticket", "follower"],
      ["attachment", "screenshot or log of a ticket", "screenshot of a ticket"],
      ["estimate", "story points of a ticket", "story points"],
      ["backlog", "ordered queue of ideas", "queue of ideas"],
      ["roadmap", "plan of the coming quarters", "plan of coming quarters"],
    ),
  },
  {
    name: "chat",
    described: "Part of the team messenger.",
    asked: "in the messenger",
    things: things(
      ["message", "text posted by a colleague", "posted text"],
      ["channel", "room for a topic", "room for a topic"],
      ["thread", "chain of replies", "chain of replies"],
      ["reaction", "emoji on a post", "emoji"],
      ["pin", "post kept at the top of a room", "post kept at the top"],
      ["reminder", "nudge at a later time", "nudge later"],
      ["huddle", "audio call of a room", "audio call"],
      ["usergroup", "mention that reaches several people", "mention for several people"],
      ["status", "availability shown beside an avatar", "availability"],
      ["bookmark", "saved link of a room", "saved link"],
      ["bot", "automated participant", "automated participant"],
      ["emoji_pack", "custom pictogram set", "pictogram set"],
    ),
  },
  {
    name: "mail",
    described: "Part of the mailbox.",
    asked: "in my mailbox",
    things: things(
      ["email", "letter in the inbox", "letter in the inbox"],
      ["draft", "unsent letter", "unsent letter"],
      ["folder", "place that sorts letters", "place that sorts letters"],
      ["filter", "rule that moves incoming letters", "rule for incoming letters"],
      ["signature", "closing lines below letters", "closing lines"],
      ["alias", "additional sender address", "additional sender address"],
      ["contact", "address book person", "address book person"],
      ["vacation", "out-of-office reply", "out-of-office reply"],
      ["newsletter", "bulk mailing to subscribers", "bulk mailing"],
      ["spam_report", "junk complaint", "junk complaint"],
      ["delegate", "assistant who may read letters", "assistant reading letters"],
      ["quota", "storage space of the inbox", "storage space"],
    ),
  },
  {
    name: "calendar",
    described: "Part of the calendar.",
    asked: "on the calendar",
    things: things(
      ["event", "meeting with a start and an end", "meeting"],
      ["attendee", "invited guest", "invited guest"],
      ["room", "bookable conference space", "conference space"],
      ["availability", "free and busy hours", "free and busy hours"],
      ["timezone", "local clock offset", "clock offset"],
      ["recurrence", "weekly repetition", "weekly repetition"],
      ["holiday", "public day off", "public day off"],
      ["poll", "vote on dates", "vote on dates"],
      ["booking_page", "public link to reserve time", "link to reserve time"],
      ["alarm", "notification before a meeting", "notification before"],
      ["share", "permission for a colleague to look", "colleague permission"],
      ["resource", "projector or car to reserve", "projector"],
    ),
  },
  {
    name: "crm",
    described: "Part of the customer database.",
    asked: "in the customer database",
    things: things(
      ["lead", "prospective customer", "prospective customer"],
      ["deal", "sales opportunity with an amount", "sales opportunity"],
      ["account", "customer company", "customer company"],
      ["quote", "price offer", "price offer"],
      ["campaign", "marketing promotion", "marketing promotion"],
      ["territory", "sales region", "sales region"],
      ["forecast", "expected revenue", "expected revenue"],
      ["case", "support complaint", "support complaint"],
      ["partner", "reselling firm", "reselling firm"],
      ["product", "article of the price list", "price list article"],
      ["activity", "logged phone conversation", "phone conversation"],
      ["segment", "audience with common traits", "audience with traits"],
    ),
  },
  {
    name: "payments",
    described: "Part of the payment processor.",
    asked: "at the payment processor",
    things: things(
      ["charge", "card payment", "card payment"],
      ["refund", "money returned to a buyer", "money returned to a buyer"],
      ["invoice", "bill with line items", "bill with line items"],
      ["subscription", "recurring plan of a buyer", "recurring plan"],
      ["payout", "transfer to the bank", "bank transfer"],
      ["dispute", "chargeback by a cardholder", "chargeback"],
      ["coupon", "discount code", "discount code"],
      ["tax_rate", "VAT percentage", "vat percentage"],
      ["balance", "funds that are available", "available funds"],
      ["mandate", "direct debit authorization", "direct debit authorization"],
      ["terminal", "card reader in a shop", "card reader"],
      ["price", "amount per billing period", "billing period amount"],
    ),
  },
  {
    name: "drive",
    described: "Part of the document storage.",
    asked: "in document storage",
    things: things(
      ["file", "stored document", "stored document"],
      ["directory", "container of documents", "container of documents"],
      ["permission", "access right of a reader", "access right"],
      ["revision", "earlier state of a document", "earlier state"],
      ["comment", "remark in the margin", "margin remark"],
      ["template", "blank form to start from", "blank form"],
      ["shortcut", "pointer to another place", "pointer to another place"],
      ["trash", "discarded material", "discarded material"],
      ["spreadsheet", "table with formulas", "table with formulas"],
      ["slide", "page of a presentation", "presentation page"],
      ["form", "questionnaire", "questionnaire"],
      ["label_set", "classification of confidentiality", "confidentiality classification"],
    ),
  },
  {
    name: "monitor",
    described: "Part of the monitoring system.",
    asked: "in monitoring",
    things: things(
      ["alert", "warning about a threshold", "threshold warning"],
      ["dashboard", "page of graphs", "page of graphs"],
      ["metric", "time series of measurements", "time series"],
      ["incident", "outage that people work on", "outage"],
      ["probe", "uptime check from outside", "uptime check"],
      ["silence", "muted period", "muted period"],
      ["escalation", "on-call order", "on-call order"],
      ["log_index", "searchable program output", "program output"],
      ["trace", "path of a request through systems", "path of a request"],
      ["slo", "reliability target", "reliability target"],
      ["host", "observed server", "observed server"],
      ["notebook", "written analysis of an outage", "written analysis"],
    ),
  },
  {
    name: "cloud",
    described: "Part of the cloud provider.",
    asked: "at the cloud provider",
    things: things(
      ["vm", "virtual machine", "virtual machine"],
      ["bucket", "object store", "object store"],
      ["function", "serverless code", "serverless code"],
      ["database", "managed SQL instance", "managed sql instance"],
      ["queue", "asynchronous message buffer", "asynchronous buffer"],
      ["dns_record", "domain entry", "domain entry"],
      ["certificate", "TLS credential", "tls credential"],
      ["firewall", "network barrier", "network barrier"],
      ["volume", "block disk", "block disk"],
      ["snapshot", "point-in-time copy of a disk", "point-in-time copy"],
      ["cluster", "kubernetes control plane", "kubernetes control plane"],
      ["role", "identity with policies", "identity with policies"],
      ["budget", "spending ceiling", "spending ceiling"],
      ["region", "data centre location", "data centre location"],
      ["image", "boot template", "boot template"],
    ),
  },
];
