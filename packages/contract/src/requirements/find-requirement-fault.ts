import { isPlainObject } from "../values.ts";

/**
 * Returns what is wrong with the form of a requirement set, to follow the name of its owner, or
 * `undefined`. Patterns and variables are checked when it is compiled.
 */
export function findRequirementFault(requires: unknown): string | undefined {
  if (requires === undefined) return "requires is missing. A tool that needs nothing declares {}.";
  const { fs, net, shell, capabilities } = isPlainObject(requires) ? requires : {};
  return (
    findKeyFault("requires", requires, ["fs", "net", "shell", "capabilities"]) ??
    findGroupFault("requires.fs", fs, ["read", "write"]) ??
    findGroupFault("requires.net", net, ["hosts"]) ??
    findListFault("requires.capabilities", capabilities, texts) ??
    findListFault("requires.shell", shell, commands)
  );
}

function findKeyFault(field: string, value: unknown, keys: readonly string[]): string | undefined {
  if (!isPlainObject(value)) return `${field} must be an object.`;
  const unknown = Object.keys(value).find((key) => !keys.includes(key));
  if (unknown === undefined) return undefined;
  return `${field}.${unknown} is not known. Fields of ${field}: ${keys.join(", ")}.`;
}

function findGroupFault(
  field: string,
  value: unknown,
  keys: readonly string[],
): string | undefined {
  if (value === undefined) return undefined;
  const lists = isPlainObject(value) ? keys.map((key) => [key, value[key]] as const) : [];
  const faults = lists.map(([key, list]) => findListFault(`${field}.${key}`, list, texts));
  return findKeyFault(field, value, keys) ?? faults.find((fault) => fault !== undefined);
}

interface ItemKind {
  readonly name: string;
  isItem(item: unknown): boolean;
}

const texts: ItemKind = { name: "texts", isItem: isText };
const commands: ItemKind = { name: "objects with cmd, and args if needed", isItem: isCommand };

function findListFault(
  field: string,
  value: unknown,
  { name, isItem }: ItemKind,
): string | undefined {
  if (value === undefined || (Array.isArray(value) && value.every(isItem))) return undefined;
  return `${field} must be a list of ${name}.`;
}

function isText(item: unknown): boolean {
  return typeof item === "string";
}

function isCommand(item: unknown): boolean {
  if (findKeyFault("", item, ["cmd", "args"]) !== undefined) return false;
  const { cmd, args = [] } = item as Readonly<Record<string, unknown>>;
  return isText(cmd) && Array.isArray(args) && args.every(isArgument);
}

function isArgument(item: unknown): boolean {
  if (!isPlainObject(item)) return isText(item);
  return isText(item.prefix) || item.wildcard === true;
}
