import type {
  DocumentSymbol,
  SymbolInformation,
  WorkspaceSymbol,
} from "vscode-languageserver-types";
import { toPath } from "../client/to-path.ts";
import type { SymbolEntry } from "../lsp-data.ts";
import { showPath } from "./show-path.ts";
import { toEnd } from "./to-locations.ts";

/** Converts the symbols of a file, containers before their members. */
export function toFileSymbols(
  answer: readonly (DocumentSymbol | SymbolInformation)[] | null | undefined,
): SymbolEntry[] {
  return (answer ?? []).flatMap((symbol) =>
    "location" in symbol ? [toListed(symbol)] : flatten(symbol, undefined),
  );
}

/** Converts the symbols of a workspace. */
export function toWorkspaceSymbols(
  answer: readonly (SymbolInformation | WorkspaceSymbol)[] | null | undefined,
  root: string,
): SymbolEntry[] {
  return (answer ?? []).map((symbol) => {
    const { uri } = symbol.location;
    const path = toPath(uri);
    const { name, kind, ...rest } = toListed(symbol);
    return { name, kind, path: path === undefined ? uri : showPath(path, root), ...rest };
  });
}

function flatten(symbol: DocumentSymbol, container: string | undefined): SymbolEntry[] {
  const { name, kind, detail, range, selectionRange, children = [] } = symbol;
  const path = container === undefined ? name : `${container}.${name}`;
  return [
    {
      name,
      kind: kindOf(kind),
      line: selectionRange.start.line + 1,
      ...toEnd({ start: selectionRange.start, end: range.end }),
      ...(container !== undefined && { container }),
      ...(detail !== undefined && detail !== "" && { detail: detail.slice(0, maxDetailLength) }),
    },
    ...children.flatMap((child) => flatten(child, path)),
  ];
}

function toListed({
  name,
  kind,
  containerName,
  location,
}: SymbolInformation | WorkspaceSymbol): SymbolEntry {
  const range = "range" in location ? location.range : undefined;
  return {
    name,
    kind: kindOf(kind),
    line: (range?.start.line ?? 0) + 1,
    ...(range !== undefined && toEnd(range)),
    ...(containerName && { container: containerName }),
  };
}

const maxDetailLength = 200;

function kindOf(kind: number): string {
  return kinds[kind - 1] ?? "symbol";
}

// In the order of the protocol's numbers.
const kinds: readonly string[] = [
  "file",
  "module",
  "namespace",
  "package",
  "class",
  "method",
  "property",
  "field",
  "constructor",
  "enum",
  "interface",
  "function",
  "variable",
  "constant",
  "string",
  "number",
  "boolean",
  "array",
  "object",
  "key",
  "null",
  "enum member",
  "struct",
  "event",
  "operator",
  "type parameter",
];
