import { defineTool, type Tool } from "@haft/contract";
import { languageTable } from "./find/language-table.ts";
import type { LanguageServers } from "./language-servers.ts";
import type { LspArguments } from "./lsp-arguments.ts";
import type { LspData } from "./lsp-data.ts";

const serverCommands = languageTable.flatMap(({ servers }) =>
  servers.map(({ program }) => ({ cmd: program })),
);

/** Creates the tool that queries language servers. They are started on first use. */
export function createLspTool(
  servers: () => Promise<LanguageServers>,
): Tool<LspArguments, LspData> {
  return defineTool({
    id: "lsp",
    description: [
      "Asks the project's language server where a symbol is defined, used or implemented, its type, the symbols of a file, and its errors.",
      "More exact for code than `grep`.",
      "Give line and symbol as `read` shows them. Without line, the first occurrence of the symbol in the file is used.",
    ].join(" "),
    parameters: {
      type: "object",
      properties: {
        operation: {
          enum: [
            "definition",
            "references",
            "implementation",
            "type_definition",
            "symbols",
            "workspace_symbols",
            "hover",
            "diagnostics",
          ],
          description:
            "`workspace_symbols` searches the project by query, `hover` shows type and documentation.",
        },
        path: {
          type: "string",
          minLength: 1,
          description: "A file; for `workspace_symbols` any.",
        },
        line: { type: "integer", minimum: 1, description: "The line." },
        character: {
          type: "integer",
          minimum: 1,
          description: "From 1. Prefer symbol.",
        },
        symbol: {
          type: "string",
          minLength: 1,
          description: "As written in the file.",
        },
        query: {
          type: "string",
          description: "The query.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 200,
          description: "Default: 200.",
        },
      },
      required: ["operation", "path"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        operation: { type: "string" },
        server: { type: "string", description: "Name of the language server." },
        locations: {
          type: "array",
          items: {
            type: "object",
            properties: {
              path: { type: "string", description: "Relative to the workspace root if inside it." },
              line: { type: "integer", description: "From 1." },
              character: {
                type: "integer",
                description: "From 1. An emoji counts as one character.",
              },
              end_line: { type: "integer", description: "Last line, if it is another one." },
              text: { type: "string", description: "Text of the line." },
            },
            required: ["path", "line"],
            additionalProperties: false,
          },
        },
        symbols: {
          type: "array",
          items: {
            type: "object",
            properties: {
              name: { type: "string" },
              kind: { type: "string", description: "For example function or class." },
              path: { type: "string" },
              line: { type: "integer" },
              end_line: { type: "integer" },
              container: { type: "string", description: "The symbol that contains it." },
              detail: { type: "string" },
            },
            required: ["name", "kind", "line"],
            additionalProperties: false,
          },
        },
        hover: { type: "string", description: "Markdown." },
        diagnostics: {
          type: "array",
          items: {
            type: "object",
            properties: {
              severity: { enum: ["error", "warning", "information", "hint"] },
              line: { type: "integer" },
              character: { type: "integer" },
              end_line: { type: "integer" },
              message: { type: "string" },
              source: { type: "string" },
              code: { type: "string" },
            },
            required: ["severity", "line", "character", "message"],
            additionalProperties: false,
          },
        },
        truncated: { type: "boolean", description: "Whether there are more entries." },
        message: { type: "string" },
      },
      required: ["operation", "server"],
      additionalProperties: false,
    },
    requires: { fs: { read: ["{workspace}/**"] }, shell: serverCommands },
    kind: "search",
    source: "builtin",
    execution: { resourceKeys: ({ path }) => [{ key: path, mode: "read" }] },
    maxOutput: { bytes: 200_000 },
    execute: async (args, runtime) => {
      // Loaded on first use: most sessions never need it.
      const { runOperation } = await import("./answer/run-operation.ts");
      return runOperation(args, runtime, await servers());
    },
  });
}
