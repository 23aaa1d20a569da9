import { type AnyRoute, defineRoute } from "../api/route.ts";
import { packScaffold, packScaffoldPackage, type Runtime, scaffoldHash } from "./scaffold.ts";

interface ScaffoldQuery {
  readonly runtime: Runtime;
  readonly form: "project" | "package";
  readonly name: string;
}

/** Returns the route that downloads a new project, or the package with types and test helpers. */
export function scaffoldRoutes(): readonly AnyRoute[] {
  return [
    defineRoute<unknown, ScaffoldQuery>({
      method: "GET",
      url: "/v1/:organization/tool/amigo_tool_scaffold.tar.gz",
      operationId: "get-tool-scaffold-release",
      summary: "Downloads a new tool project, or the package with its types and test helpers.",
      permission: null,
      schema: {
        params: {
          type: "object",
          properties: { organization: { type: "string" } },
          required: ["organization"],
        },
        querystring: {
          type: "object",
          properties: {
            runtime: { type: "string", enum: ["node", "python"], default: "node" },
            form: { type: "string", enum: ["project", "package"], default: "project" },
            name: { type: "string", pattern: "^[a-z0-9_]{1,64}$", default: "my_tool" },
          },
        },
        response: {
          200: { type: "string", format: "binary", contentMediaType: "application/gzip" },
        },
      },
      handle: async ({ query: { runtime, form, name } }) => {
        const packed =
          form === "project"
            ? await packScaffold({ name, runtime })
            : await packScaffoldPackage(runtime);
        return {
          status: 200,
          body: packed.bytes,
          headers: {
            "content-type": packed.type,
            "content-disposition": `attachment; filename="${packed.name}"`,
            etag: `"${await scaffoldHash()}-${runtime}-${form}-${name}"`,
          },
        };
      },
    }),
  ];
}
