import { type AnyRoute, type ApiReply, defineRoute } from "../api/route.ts";
import { wantsEvents } from "../api/stream-events.ts";
import type { Wire } from "../api/wire.ts";
import { idPattern } from "../new-id.ts";
import type { PlatformParts } from "../platform-parts.ts";
import { Problem } from "../problem.ts";
import type { Bump } from "../versions/next-version.ts";
import { listOperations } from "./list-operations.ts";
import { createPublishFeed, type PublishFeed } from "./publish-feed.ts";
import type { Publisher } from "./publisher.ts";
import { watchOperation } from "./watch-operation.ts";

type Published = Awaited<ReturnType<Publisher["publish"]>>;

/** The services that the routes use. */
export interface PublishServices extends Pick<PlatformParts, "store"> {
  readonly publisher: Publisher;
}

interface ToolParams {
  readonly organization: string;
  readonly tool_id: string;
}

interface PublishBody {
  readonly project_path: string;
  readonly bump_type: Bump;
  readonly repo: "main" | "team";
  readonly candidate: boolean;
}

/** Returns the routes that publish a version of a tool and report on operations. */
export function publishRoutes({ publisher, store }: PublishServices): readonly AnyRoute[] {
  // Publishes of this process by tool. Those of other processes are read from the store.
  const feeds = new Map<string, PublishFeed>();

  return [
    defineRoute<PublishBody, unknown, ToolParams>({
      method: "POST",
      url: "/v1/:organization/tool/:tool_id/version",
      operationId: "publish-tool-version",
      summary: "Checks, builds and publishes a new version of a tool.",
      permission: "Tool:ModifyTool",
      about: "tool",
      schema: {
        params: toolParams,
        body: {
          type: "object",
          properties: {
            project_path: { type: "string", pattern: "^[-\\w\\d_/]+$", maxLength: 500 },
            bump_type: { type: "string", enum: ["major", "minor", "patch"] },
            // `team` is the organization's release branch, `main` holds the scaffold and shared tools.
            repo: { type: "string", enum: ["main", "team"], default: "team" },
            candidate: {
              type: "boolean",
              default: false,
              description:
                "Whether `latest` and constraints leave the version out until it is promoted.",
            },
          },
          required: ["project_path", "bump_type"],
        },
        response: { 201: newVersion },
      },
      handle: async ({ principal, params, body, headers }) => {
        const toolId = params.tool_id;
        const feed = createPublishFeed();
        const begun = Promise.withResolvers<"begun">();
        const { project_path: projectPath, bump_type: bump, repo, candidate: isCandidate } = body;
        const order = { toolId, projectPath, bump, repo, isCandidate };
        const publishing = publisher.publish(principal, order, {
          onProgress: (progress) => {
            // From here on this publish holds the tool.
            feeds.set(toolId, feed);
            feed.send({ event: "progress", data: progress });
            begun.resolve("begun");
          },
          onLog: (line) => feed.send({ event: "log", data: { line } }),
        });
        const told = publishing
          .then(
            (done) => {
              feed.send({ event: "result", data: toReply(done) });
              feed.end();
            },
            (error: unknown) => tellFailure(feed, error),
          )
          .finally(() => feeds.get(toolId) === feed && feeds.delete(toolId));
        if (!wantsEvents(headers.accept)) {
          const done = await publishing;
          await told;
          return { status: 201, body: toReply(done) };
        }
        // A refusal before any work is answered with its HTTP status, not as an event.
        await Promise.race([begun.promise, publishing]);
        return { status: 201, events: feed.watch() };
      },
    }),

    defineRoute<unknown, { limit: number }, ToolParams>({
      method: "GET",
      url: "/v1/:organization/tool/:tool_id/operation",
      operationId: "get-tool-operations",
      summary: "Lists the latest operations on a tool, with their logs.",
      permission: null,
      about: "tool",
      schema: {
        params: toolParams,
        querystring: {
          type: "object",
          properties: { limit: { type: "integer", minimum: 1, maximum: 20, default: 10 } },
        },
        response: { 200: operationList },
      },
      handle: async ({ principal: { organization }, params, query }) => {
        const tool = { organization, toolId: params.tool_id };
        const operations = await listOperations({ store }, tool, query.limit);
        return { status: 200, body: { operations } };
      },
    }),

    defineRoute<unknown, unknown, ToolParams>({
      method: "GET",
      url: "/v1/:organization/tool/:tool_id/operation/events",
      operationId: "watch-tool-operation",
      summary: "Streams the events of the current operation on a tool as server-sent events.",
      permission: null,
      about: "tool",
      schema: { params: toolParams, response: { 200: { type: "string" } } },
      handle: async ({ principal: { organization }, params, signal }): Promise<ApiReply> => {
        const tool = { organization, toolId: params.tool_id };
        const [latest] = await listOperations({ store }, tool, 1);
        if (latest === undefined) {
          throw new Problem(404, `The tool ${params.tool_id} has no operations yet.`);
        }
        const feed = latest.ended_at === null ? feeds.get(tool.toolId) : undefined;
        const look = async () => (await listOperations({ store }, tool, 1))[0];
        return { status: 200, events: feed?.watch() ?? watchOperation(look, signal) };
      },
    }),
  ];
}

const toolParams = {
  type: "object",
  properties: {
    organization: { type: "string" },
    tool_id: { type: "string", pattern: idPattern },
  },
  required: ["organization", "tool_id"],
} as const;

const newVersion = {
  type: "object",
  properties: {
    new_version: { type: "string" },
    same_commit_as: {
      type: "string",
      description: "The version before, if it was published from the same commit.",
    },
  },
  required: ["new_version"],
} as const;

function toReply({ newVersion: version, sameCommitAs }: Published): Wire<typeof newVersion> {
  return {
    new_version: version,
    ...(sameCommitAs !== undefined && { same_commit_as: sameCommitAs }),
  };
}

const textOrNull = { anyOf: [{ type: "string" }, { type: "null" }] } as const;
const momentOrNull = {
  anyOf: [{ type: "string", format: "date-time" }, { type: "null" }],
} as const;

const operationList = {
  type: "object",
  properties: {
    operations: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "string" },
          kind: { type: "string", enum: ["publish", "deprecate-version", "deprecate-tool"] },
          state: { type: "string", enum: ["checking", "building", "storing", "active", "failed"] },
          user_id: { type: "string" },
          version: textOrNull,
          error: textOrNull,
          log: { type: "string" },
          started_at: { type: "string", format: "date-time" },
          ended_at: momentOrNull,
        },
        required: [
          ...["id", "kind", "state", "user_id", "version", "error", "log"],
          ...["started_at", "ended_at"],
        ],
      },
    },
  },
  required: ["operations"],
} as const;

function tellFailure(feed: PublishFeed, error: unknown): void {
  if (error instanceof Problem) {
    feed.send({ event: "error", data: { status: error.status, detail: error.message } });
    feed.end();
    return;
  }
  // The server's error handler reports unexpected errors to the stream.
  feed.end(error instanceof Error ? error : new Error(String(error)));
}
