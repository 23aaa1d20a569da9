import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { sharedSchemas } from "./operation-schema.ts";

const hidden = { schema: { hide: true } };

/** Makes a server describe the routes that are registered after this call. */
export async function describeApi(server: FastifyInstance, version: string): Promise<void> {
  await server.register(swagger, {
    // Keep `const`: it says more than an enum of one.
    convertConstToEnum: false,
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Haft",
        version,
        description: "An organization's tools: versioned, published from git, invoked, recorded.",
      },
      servers: [{ url: "/" }],
      components: {
        schemas: sharedSchemas as Record<string, object>,
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            description: "A token from the sign-in, or an API key.",
          },
          basic: {
            type: "http",
            scheme: "basic",
            description: "For git: `{organization}_{user}` and a token or an API key.",
          },
        },
      },
    },
    transform: ({ schema, url }) => ({
      ...(schema === undefined ? hidden : { schema: withNamedRest(schema, toRestName(url)) }),
      url: url.replace("*", `:${toRestName(url)}`),
    }),
  });
}

/** Returns the parameter name that `*` gets in the document: below `/git/` it is `git_path`. */
function toRestName(url: string): string {
  return `${/([\w-]+)\/\*$/u.exec(url)?.[1] ?? "any"}_path`;
}

function withNamedRest<Schema extends { params?: unknown }>(schema: Schema, name: string): Schema {
  const { properties } = (schema.params ?? {}) as { properties?: Record<string, unknown> };
  if (properties?.["*"] === undefined) return schema;
  const { "*": rest, ...others } = properties;
  return { ...schema, params: { type: "object", properties: { ...others, [name]: rest } } };
}
