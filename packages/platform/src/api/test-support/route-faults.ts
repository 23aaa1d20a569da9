import type { JsonSchema } from "@haft/contract";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import type { FieldError } from "../../problem.ts";
import type { AnyRoute, OpenRoute, Route } from "../route.ts";
import { attempt, type Outcome, type RouteWorld } from "./route-world.ts";

/** Looks at one route; every sentence that comes back is a fault of it. */
export type RouteCheck = (world: RouteWorld, route: AnyRoute) => Promise<string[]>;

/** Every check that a route has to pass, by what it says. */
export const routeChecks: Readonly<Record<string, RouteCheck>> = {
  "answers 401 to a request without a token": async (world, route) =>
    isOpen(route) ? [] : expect401(route, await attempt(world, route, {})),

  "answers 401 to a wrong token": async (world, route) =>
    isOpen(route) ? [] : expect401(route, await attempt(world, route, { token: "wrong" })),

  "answers 404 to another organization's token, as if there were no such organization": async (
    world,
    route,
  ) => {
    if (isOpen(route)) return [];
    const { stranger, administrator } = world.tokens;
    const other = await attempt(world, route, { token: stranger });
    const unknown = await attempt(world, route, {
      token: administrator,
      organization: "f".repeat(24),
    });
    return [
      ...expectStatus(other, 404),
      ...expectStatus(unknown, 404),
      ...(other.detail === unknown.detail ? [] : ["tells another organization from none"]),
    ];
  },

  "answers 403 to a key without the permission": async (world, route) => {
    if (isOpen(route) || [route.permission ?? []].flat().length === 0) return [];
    return expectStatus(await attempt(world, route, { token: world.tokens.powerless }), 403);
  },

  "answers 422 to malformed ids": async (world, route) => {
    const faults: string[] = [];
    for (const [name, schema] of checkedParameters(route)) {
      const wrong = findMisfit(schema, ["not!an~id", "%00", " "]);
      if (wrong === undefined) continue;
      const params = { [name]: String(wrong) };
      const outcome = await attempt(world, route, { token: tokenFor(world, route), params });
      faults.push(...expectField(outcome, ["path", name]));
    }
    return faults;
  },

  "answers 422 to query strings of the wrong type": async (world, route) => {
    const faults: string[] = [];
    for (const [name, schema] of Object.entries(schemaOf(route)?.querystring?.properties ?? {})) {
      const wrong = findWrongText(schema);
      if (wrong === undefined) continue;
      const query = new URLSearchParams({ [name]: wrong }).toString();
      const outcome = await attempt(world, route, { token: tokenFor(world, route), query });
      faults.push(...expectField(outcome, ["query", name]));
    }
    return faults;
  },

  "answers 422 to bodies of the wrong type": async (world, route) => {
    const { body } = schemaOf(route) ?? {};
    if (body === undefined) return [];
    const faults: string[] = [];
    const send = (content: unknown): Promise<Outcome> =>
      attempt(world, route, { token: tokenFor(world, route), body: JSON.stringify(content) });
    const whole = findMisfit(body, samples);
    if (whole !== undefined) faults.push(...expectField(await send(whole), ["body"]));
    for (const [name, schema] of Object.entries(body.properties ?? {})) {
      // Where it refers to something, then to what the whole schema defines.
      const wrong = findMisfit({ ...schema, $defs: body.$defs ?? {} }, samples);
      if (wrong === undefined) continue;
      faults.push(...expectField(await send({ [name]: wrong }), ["body", name]));
    }
    return faults;
  },

  "answers 400 or 422 to malformed JSON": async (world, route) => {
    if (!takesBody(route)) return [];
    const outcome = await attempt(world, route, { token: tokenFor(world, route), body: '{"a":' });
    return outcome.status === 422 ? [] : expectStatus(outcome, 400);
  },

  "answers 400 to a body that is nested too deep": async (world, route) => {
    if (!takesBody(route)) return [];
    const faults: string[] = [];
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
      ['{"conversation":[', "]}"],
    ] as const) {
      const body = open.repeat(3_000) + (open.endsWith(":") ? "1" : "") + close.repeat(3_000);
      const outcome = await attempt(world, route, { token: tokenFor(world, route), body });
      faults.push(...expectStatus(outcome, 400));
    }
    return faults;
  },

  "answers no 500 to odd texts": async (world, route) => {
    const { body, querystring } = schemaOf(route) ?? {};
    const token = tokenFor(world, route);
    const faults: string[] = [];
    const names = Object.keys(querystring?.properties ?? {});
    const parameters = [...route.url.matchAll(/:(\w+)/gu)].map(([, name = ""]) => name);
    for (const odd of ["\0", "a\0b"]) {
      const text = encodeURIComponent(odd);
      const asked = [
        ...names.map((name) => ({ query: `${name}=${text}` })),
        ...parameters.map((name) => ({ params: { [name]: odd } })),
      ];
      for (const each of asked) {
        const outcome = await attempt(world, route, { token, ...each });
        if (outcome.status >= 500) {
          faults.push(`answers ${outcome.status} to ${JSON.stringify(each)}`);
        }
      }
    }
    if (body === undefined || !takesBody(route)) return faults;
    for (const odd of ["\0", "\ud800", "x\udc00\0", "\u202e", "constructor"]) {
      const content = JSON.stringify(fillIn(body, odd));
      const outcome = await attempt(world, route, { token, body: content });
      if (outcome.status >= 500) faults.push(`answers ${outcome.status} to ${JSON.stringify(odd)}`);
    }
    return faults;
  },

  "answers 413 to a body that is too large": async (world, route) => {
    if (!takesBody(route)) return [];
    const body = `"${"x".repeat(world.maxBodyBytes)}"`;
    return expectStatus(await attempt(world, route, { token: tokenFor(world, route), body }), 413);
  },
};

const samples: readonly unknown[] = [12.5, "text", true, { a: { b: [] } }, [[{}]], null];
const texts: readonly string[] = ["not!a~thing", "-1", "0.5", "x".repeat(300)];

const ajv = new Ajv2020({ strict: false });
ajvFormats.default(ajv);
const textualAjv = new Ajv2020({ strict: false, coerceTypes: "array" });
ajvFormats.default(textualAjv);

function findMisfit(schema: JsonSchema, values: readonly unknown[]): unknown {
  const fits = ajv.compile(schema);
  return values.find((value) => !fits(value));
}

function findWrongText(schema: JsonSchema): string | undefined {
  const fits = textualAjv.compile({ type: "object", properties: { value: schema } });
  return texts.find((value) => !fits({ value }));
}

/** A value of a schema's shape with one text wherever a text can be. */
function fillIn(schema: JsonSchema, text: string): unknown {
  const { type, properties, items, anyOf, enum: choices, const: only, default: usual } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(choices)) return choices[0];
  if (Array.isArray(anyOf)) return fillIn(anyOf[0] as JsonSchema, text);
  const [kind] = [type].flat();
  if (kind === "string") return schema.format === "duration" ? "P1D" : text;
  if (kind === "array") return [fillIn((items ?? { type: "string" }) as JsonSchema, text)];
  if (kind === "integer" || kind === "number") return 1;
  if (kind === "boolean") return false;
  if (kind !== "object") return usual ?? text;
  const known = Object.entries(properties ?? {}).map(([name, each]) => [name, fillIn(each, text)]);
  return {
    ...Object.fromEntries(known),
    ...(schema.additionalProperties && { [text]: text, a: text }),
  };
}

function isOpen(route: AnyRoute): route is OpenRoute {
  return "handleOpen" in route;
}

function schemaOf(route: AnyRoute): (Route | OpenRoute)["schema"] | undefined {
  return "schema" in route ? route.schema : undefined;
}

function takesBody(route: AnyRoute): boolean {
  return "method" in route && ["POST", "PUT", "PATCH"].includes(route.method);
}

function checkedParameters(route: AnyRoute): [string, JsonSchema][] {
  const described = Object.entries(schemaOf(route)?.params?.properties ?? {});
  return described.filter(([name]) => name !== "organization");
}

function tokenFor({ tokens }: RouteWorld, route: AnyRoute): string | undefined {
  return isOpen(route) ? undefined : tokens.administrator;
}

function expect401(route: AnyRoute, outcome: Outcome): string[] {
  const basic = "basic" in route && route.basic;
  const challenge = String(outcome.headers["www-authenticate"] ?? "");
  return [
    ...expectStatus(outcome, 401),
    ...(basic && !challenge.startsWith("Basic ") ? ["does not offer Basic"] : []),
  ];
}

function expectStatus({ status, detail }: Outcome, wanted: number): string[] {
  if (status !== wanted) return [`answers ${status} and not ${wanted}`];
  if (status !== 422 && typeof detail !== "string") return [`answers ${status} without a sentence`];
  return [];
}

function expectField({ status, detail }: Outcome, loc: readonly string[]): string[] {
  const place = loc.join(".");
  if (status !== 422) return [`answers ${status} and not 422 to a wrong ${place}`];
  const errors = Array.isArray(detail) ? (detail as FieldError[]) : [];
  const named = errors.some((error) => loc.every((part, index) => error.loc[index] === part));
  const sound = errors.every(({ msg, type }) => msg !== "" && type !== "");
  return named && sound ? [] : [`does not name ${place}`];
}
