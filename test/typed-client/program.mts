// What somebody writes who has nothing but the platform's own description. The test makes
// `schema.d.mts` from it, looks at the types of this program, and runs it.
import createClient from "openapi-fetch";
import type { paths } from "./schema.mjs";

const [url = "", organization = "", token = ""] = process.argv.slice(2);
const client = createClient<paths>({
  baseUrl: url,
  headers: { authorization: `Bearer ${token}` },
});
const path = { organization };

const created = await client.POST("/v1/{organization}/tool/", {
  params: { path },
  body: { name: "greet", description: "Greets somebody.", tags: { team: "front", plain: null } },
});
const toolId: string | undefined = created.data?.id;
const toolPath = { ...path, tool_id: toolId ?? "" };

const listed = await client.GET("/v1/{organization}/tool/", {
  params: { path, query: { id: [toolId ?? ""], deprecated: false, sort_by: ["+name"], limit: 5 } },
});
const names: string[] | undefined = listed.data?.tools.map((tool) => tool.name);
const more: boolean | undefined = listed.data?.has_more;

const refused = await client.POST("/v1/{organization}/tool/", {
  params: { path },
  // @ts-expect-error A number is no description: the types know it, and so does the server.
  body: { name: "greet", description: 5, tags: {} },
});

const taken = await client.POST("/v1/{organization}/tool/", {
  params: { path },
  body: { name: "greet", description: "Greets again.", tags: {} },
});

const published = await client.POST("/v1/{organization}/tool/{tool_id}/version", {
  params: { path: toolPath },
  body: { project_path: "greet", bump_type: "minor" },
});
const version: string | undefined = published.data?.new_version;

const operations = await client.GET("/v1/{organization}/tool/{tool_id}/operation", {
  params: { path: toolPath },
});
const operation = operations.data?.operations[0];
const state: "checking" | "building" | "storing" | "active" | "failed" | undefined =
  operation?.state;
// @ts-expect-error The types know which states there are.
const isLost = state === "lost";

const versions = await client.GET("/v1/{organization}/tool/{tool_id}/version", {
  params: { path: toolPath, query: { versions: ">=1,<2" } },
});
const major: number | undefined = versions.data?.tool_versions[0]?.version.major;

const invoke = "/v1/{organization}/tool/{tool_id}/version/{version}/invoke";
const invoked = await client.POST(invoke, {
  params: { path: { ...toolPath, version: "latest" } },
  body: {
    inputs: [
      { input_parameters: { name: "Ada" }, invocation_mode: "regular" },
      { input_parameters: { name: "" }, invocation_mode: "conversation-simulation" },
    ],
  },
});
// Invocations that are only accepted, with `Prefer: respond-async`, have no results yet.
const ended =
  invoked.data !== undefined && "invocation_results" in invoked.data ? invoked.data : undefined;
// Which of the two it is tells what else there is.
const results = ended?.invocation_results.map((result): string =>
  result.succeeded ? result.output : result.exception_message,
);

const unfit = await client.POST(invoke, {
  params: { path: { ...toolPath, version: "latest" } },
  body: {
    inputs: [
      {
        input_parameters: { name: "Ada" },
        // @ts-expect-error There is no such mode.
        invocation_mode: "pretending",
      },
    ],
  },
});

const history = await client.GET("/v1/{organization}/tool/invocation", {
  params: { path, query: { tool_id: [toolId ?? ""], succeeded: false } },
});
const failures = history.data?.tool_invocations.map(({ invocation_status: status }): string =>
  status.succeeded ? "none" : status.exception_type,
);

const gone = await client.DELETE("/v1/{organization}/tool/{tool_id}", {
  params: { path: toolPath },
});

// @ts-expect-error There is no such operation.
const nothing = await client.PUT("/v1/{organization}/tool/", { params: { path } });

const stranger = createClient<paths>({ baseUrl: url });
const anonymous = await stranger.GET("/v1/{organization}/tool/", { params: { path } });

process.stdout.write(
  JSON.stringify({
    created: created.response.status,
    toolId,
    names,
    more,
    refused: [refused.response.status, refused.error],
    taken: [taken.response.status, taken.error],
    published: [published.response.status, version, state, isLost],
    major,
    invoked: [invoked.response.headers.get("x-tool-version"), results],
    unfit: unfit.response.status,
    failures,
    gone: gone.response.status,
    nothing: nothing.response.status,
    anonymous: [anonymous.response.status, anonymous.error?.detail],
  }),
);
