import { isTextList, readStoredJson } from "../store/stored-json.ts";
import { everyPermission, type Permission, permissions } from "./permissions.ts";

/** A part of an organization's tools. */
export type ToolScope =
  | { readonly kind: "tool"; readonly id: string }
  /** `value`: `any`, or exactly this one; `null` for a tag without a value. */
  | { readonly kind: "tag"; readonly key: string; readonly value: string | null | typeof anyValue }
  | { readonly kind: "set"; readonly name: string };

/** A permission that is limited to a part of the tools, as `Tool:InvokeTool@set:support`. */
export interface LimitedPermission {
  readonly permission: Permission;
  readonly scope: ToolScope;
}

/** What a role allows, or what a key narrows its role to. */
export interface Grants {
  /** For the whole organization. */
  readonly everywhere: ReadonlySet<Permission>;
  readonly limited: readonly LimitedPermission[];
}

/** Any value of a tag. */
export const anyValue: unique symbol = Symbol("any value");

/** The permissions that can be limited to tools: those that are about one tool. */
export const limitablePermissions: readonly Permission[] = [
  "Tool:GetTool",
  "Tool:ModifyTool",
  "Tool:DeleteTool",
  "Tool:InvokeTool",
  "Inbox:GetItem",
  "Inbox:AnswerItem",
  "Conversation:GetInteractionInsights",
  "Simulation:GetSimulationUnitTestSetRun",
];

const form = /^(?<permission>\w+:\w+)@(?<kind>tool|tag|set):(?<rest>.+)$/su;

/** Parses `PERMISSION@tool:ID`, `@tag:KEY`, `@tag:KEY:VALUE`, `@tag:KEY:*` or `@set:NAME`. */
export function parseLimited(text: string): LimitedPermission | undefined {
  const { permission, kind, rest = "" } = form.exec(text)?.groups ?? {};
  const known = limitablePermissions.find((each) => each === permission);
  if (known === undefined) return undefined;
  if (kind === "tool") return { permission: known, scope: { kind, id: rest } };
  if (kind === "set") return { permission: known, scope: { kind, name: rest } };
  const colon = rest.indexOf(":");
  const key = (colon < 0 ? rest : rest.slice(0, colon)).trim();
  const value = colon < 0 ? "*" : rest.slice(colon + 1).trim();
  if (key === "") return undefined;
  const wanted = value === "*" ? anyValue : value === "" ? null : value;
  return { permission: known, scope: { kind: "tag", key, value: wanted } };
}

/** Writes a limited permission as text. */
export function toLimitedText({ permission, scope }: LimitedPermission): string {
  switch (scope.kind) {
    case "tool":
      return `${permission}@tool:${scope.id}`;
    case "set":
      return `${permission}@set:${scope.name}`;
    default:
      return `${permission}@tag:${scope.key}:${scope.value === anyValue ? "*" : (scope.value ?? "")}`;
  }
}

const all: ReadonlySet<Permission> = new Set(permissions);

/** Parses stored permissions. What this version does not know allows nothing. */
export function parseGrants(text: string): Grants {
  const what = "A role's list of permissions";
  const stored = readStoredJson<readonly string[]>(text, what, isTextList);
  if (stored.includes(everyPermission)) return { everywhere: all, limited: [] };
  return {
    everywhere: new Set(permissions.filter((permission) => stored.includes(permission))),
    limited: stored.flatMap((each) => parseLimited(each) ?? []),
  };
}
