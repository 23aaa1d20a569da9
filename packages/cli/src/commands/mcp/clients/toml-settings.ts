import type { JsonValue } from "@haft/contract";
import { parse, stringify } from "smol-toml";
import { type LocatedTable, locateTomlTables } from "./locate-toml-tables.ts";
import { type SettingsFormat, valueAt } from "./settings-format.ts";

/** TOML: an entry is a table of its own. */
export const tomlSettings: SettingsFormat = {
  // Large integers keep their value.
  read: (text) => parse(text.replace(/^\ufeff/u, ""), { integersAsBigInt: "asNeeded" }),
  set: (text, keys, entry) => {
    const table = toTable(text, keys, entry);
    if (valueAt(tomlSettings.read(text), keys) === undefined) return append(text, table);
    const own = locateTomlTables(text).filter((one) =>
      keys.every((key, index) => one.keys[index] === key),
    );
    const [first, ...below] = own;
    if (first === undefined) throw new Error(`${keys.join(".")} is not a table of its own`);
    const rest = below.toReversed().reduce(withoutTable, text);
    return rest.slice(0, first.start) + table + rest.slice(first.end);
  },
};

function toTable(
  text: string,
  [section, name]: readonly [string, string],
  entry: JsonValue,
): string {
  const table = stringify({ [section]: { [name]: entry } });
  return text.includes("\r\n") ? table.replaceAll("\n", "\r\n") : table;
}

function append(text: string, table: string): string {
  if (text.trim() === "") return text + table;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  return `${text}${text.endsWith("\n") ? "" : lineEnd}${lineEnd}${table}`;
}

// The empty lines before it are removed with it.
function withoutTable(text: string, { start, end }: LocatedTable): string {
  const before = text.slice(0, start).replace(/(?<=\n)(?:[\t ]*\r?\n)+$/u, "");
  return before + text.slice(end);
}
