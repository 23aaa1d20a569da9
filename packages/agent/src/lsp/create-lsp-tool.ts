import { defineTool, type Tool } from "@haft/contract";
import type { LanguageServers } from "./language-servers.ts";
import type { LspArguments } from "./lsp-arguments.ts";
import type { LspData } from "./lsp-data.ts";

/** Makes the tool that asks language servers. They are opened at the first call. */
export function createLspTool(
  servers: () => Promise<LanguageServers>,
): Tool<LspArguments, LspData> {
  return defineTool({
    id: "lsp",
    description: [
      "Asks the project's language server what code means: where a name is defined, used or implemented, what type it has, which symbols a file has, what is wrong in it.",
      "For code that is more exact than grep, which finds any text. Needs a server for the file's language; the error tells if there is none.",
      "Name the place by line and symbol, as read shows them; without a line, the first place in the file where the symbol stands is taken.",
      "Does not change anything.",
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
            "symbols lists those of the file, workspace_symbols finds them by query in the whole project, hover tells type and documentation, diagnostics errors and warnings of the file.",
        },
        path: {
          type: "string",
          minLength: 1,
          description:
            "The file: absolute, or relative to the workspace root. For workspace_symbols any file or directory of the project.",
        },
        line: { type: "integer", minimum: 1, description: "The line, counted from 1." },
        character: {
          type: "integer",
          minimum: 1,
          description: "The character in the line, counted from 1. Better give symbol.",
        },
        symbol: {
          type: "string",
          minLength: 1,
          description: "The name to ask about, as it stands in the line or the file.",
        },
        query: {
          type: "string",
          description: "For workspace_symbols: the name, or a part of it.",
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 200,
          description: "How many entries to show; 200 if left out.",
        },
      },
      required: ["operation", "path"],
      additionalProperties: false,
    },
    output: {
      type: "object",
      properties: {
        operation: { type: "string" },
        server: { type: "string", description: "Who answered." },
        locations: {
          type: "array",
          items: {
            type: "object",
            properties: {
              path: { type: "string", description: "Relative to the workspace if it is in it." },
              line: { type: "integer", description: "Counted from 1." },
              character: { type: "integer", description: "Counted from 1, an emoji as one." },
              end_line: { type: "integer", description: "Where it is another." },
              text: { type: "string", description: "The line." },
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
              kind: { type: "string", description: "Such as function or class." },
              path: { type: "string" },
              line: { type: "integer" },
              end_line: { type: "integer" },
              container: { type: "string", description: "What it is in." },
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
        truncated: { type: "boolean", description: "There is more than is shown." },
        message: { type: "string" },
      },
      required: ["operation", "server"],
      additionalProperties: false,
    },
    requires: { fs: { read: ["{workspace}/**"] } },
    kind: "search",
    source: "builtin",
    execution: { resourceKeys: ({ path }) => [{ key: path, mode: "read" }] },
    maxOutput: { bytes: 200_000 },
    execute: async (args, runtime) => {
      // Loaded when used: most sessions never ask.
      const { runOperation } = await import("./answer/run-operation.ts");
      return runOperation(args, runtime, await servers());
    },
  });
}
