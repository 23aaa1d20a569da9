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

const gone = await client.DELETE("/v1/{organization}/tool/{tool_id}", {
  params: { path: { ...path, tool_id: toolId ?? "" } },
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
    gone: gone.response.status,
    nothing: nothing.response.status,
    anonymous: [anonymous.response.status, anonymous.error?.detail],
  }),
);
