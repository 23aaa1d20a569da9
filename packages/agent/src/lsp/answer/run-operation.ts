import { pathToFileURL } from "node:url";
import { type Runtime, ToolError } from "@haft/contract";
import { utf8Head } from "@haft/contract/internal";
import type {
  DocumentSymbol,
  Hover,
  SymbolInformation,
  WorkspaceSymbol,
} from "vscode-languageserver-types";
import { diagnose } from "../client/diagnose.ts";
import type { LanguageClient } from "../client/language-client.ts";
import type { TextDocument } from "../client/text-document.ts";
import type { LanguageServers } from "../language-servers.ts";
import type { LspArguments, LspOperation } from "../lsp-arguments.ts";
import type { LspData } from "../lsp-data.ts";
import { remedy } from "../remedy.ts";
import { chooseFile } from "./choose-file.ts";
import { findPositions } from "./find-positions.ts";
import { loadDocument } from "./load-document.ts";
import { createSourceLines } from "./source-lines.ts";
import { toDiagnostics } from "./to-diagnostics.ts";
import { findLocations, type LocationAnswer, toLocations } from "./to-locations.ts";
import { toFileSymbols, toWorkspaceSymbols } from "./to-symbols.ts";

/** Runs an operation of the `lsp` tool. */
export async function runOperation(
  args: LspArguments,
  runtime: Runtime,
  servers: LanguageServers,
): Promise<LspData> {
  const { fs, signal, session } = runtime;
  const { operation } = args;
  if (signal.aborted) throw new ToolError("cancelled", "Aborted before the server was queried.");
  if (operation === "workspace_symbols" && (args.query ?? args.symbol) === undefined) {
    throw new ToolError(
      "invalid-arguments",
      "query: workspace_symbols needs the name to search for, or a part of it.",
    );
  }
  const path = await chooseFile(fs.resolve(args.path), operation, fs);
  // Checked first, so that no server is started for a file that can't be read.
  await loadDocument(path, fs);
  return servers.use(
    {
      path,
      work: async (client) => {
        const unfollow = client.work.follow((message) => runtime.progress({ message }));
        try {
          await client.catchUp(path);
          const document = await loadDocument(path, fs);
          const question = { args, client, document, runtime, root: session.roots[0] ?? "/" };
          const answer = await askReady(question);
          return finish({ operation, server: client.name, ...answer }, question);
        } finally {
          unfollow();
        }
      },
    },
    signal,
  );
}

interface Question {
  readonly args: LspArguments;
  readonly client: LanguageClient;
  readonly document: TextDocument;
  readonly runtime: Runtime;
  /** Base of relative paths in the result. */
  readonly root: string;
}

type Answer = Omit<LspData, "operation" | "server">;

// Their answers are about the whole project.
const projectWide: ReadonlySet<LspOperation> = new Set([
  "references",
  "implementation",
  "workspace_symbols",
]);

/** Asks again if the server may have answered before it had loaded the file or the project. */
async function askReady(question: Question): Promise<Answer> {
  const { args, client, document, runtime } = question;
  const isFresh = !client.documents.has(document.path);
  const isCold = !client.isWarm;
  const answer = await answers[args.operation](question);
  const isEarly = isFresh && isEmpty(answer) && answer.diagnostics === undefined;
  if (!isEarly && !(isCold && projectWide.has(args.operation))) return answer;
  await client.untilQuiet(runtime.signal);
  return answers[args.operation](question);
}

function isEmpty({ locations, symbols, diagnostics, hover }: Answer): boolean {
  const list = locations ?? symbols ?? diagnostics ?? [];
  return list.length === 0 && hover === undefined;
}

const answers: Readonly<Record<LspOperation, (question: Question) => Promise<Answer>>> = {
  definition: (question) => askLocations(question, "textDocument/definition"),
  implementation: (question) => askLocations(question, "textDocument/implementation"),
  type_definition: (question) => askLocations(question, "textDocument/typeDefinition"),
  references: (question) => askLocations(question, "textDocument/references"),
  hover: async (question) => {
    requireOffer(question, "textDocument/hover");
    const hover = await askAtPlaces(question, async (params) =>
      toHoverText(await ask<Hover | null>(question, "textDocument/hover", params)),
    );
    return hover === undefined ? {} : { hover };
  },
  symbols: async (question) => {
    requireOffer(question, "textDocument/documentSymbol");
    question.client.documents.show(question.document);
    const found = await ask<readonly (DocumentSymbol | SymbolInformation)[] | null>(
      question,
      "textDocument/documentSymbol",
      { textDocument: toIdentifier(question.document) },
    );
    return cut("symbols", toFileSymbols(found), question);
  },
  workspace_symbols: async (question) => {
    requireOffer(question, "workspace/symbol");
    const { args, client, document, root } = question;
    // Some servers load a project only while one of its files is open.
    client.documents.show(document);
    const found = await ask<readonly (SymbolInformation | WorkspaceSymbol)[] | null>(
      question,
      "workspace/symbol",
      { query: args.query ?? args.symbol ?? "" },
    );
    return cut("symbols", toWorkspaceSymbols(found, root), question);
  },
  diagnostics: async (question) => {
    const { client, document, runtime } = question;
    const { diagnostics, isIncomplete } = await diagnose(client, document, runtime);
    const entries = toDiagnostics(diagnostics, document.text, client.encoding);
    const answer = cut("diagnostics", entries, question);
    if (!isIncomplete) return answer;
    const message = `The diagnostics may be incomplete: ${client.name} has not finished checking the file. Try again later.`;
    return { ...answer, message };
  },
};

async function askLocations(question: Question, method: string): Promise<Answer> {
  requireOffer(question, method);
  const { client, runtime, root, args } = question;
  const found =
    (await askAtPlaces(question, async (params) => {
      const context = { includeDeclaration: true };
      const answer = await ask<LocationAnswer>(question, method, { ...params, context });
      const locations = findLocations(answer);
      return locations.length === 0 ? undefined : locations;
    })) ?? [];
  const limit = args.limit ?? maxEntries;
  const view = { lines: createSourceLines(runtime.fs), encoding: client.encoding, root };
  const locations = await toLocations(found.slice(0, limit), view);
  return found.length <= limit ? { locations } : { locations, ...explainCut(found.length, limit) };
}

async function askAtPlaces<T>(
  { args, client, document }: Question,
  askAt: (params: object) => Promise<T | undefined>,
): Promise<T | undefined> {
  const positions = findPositions(args, document.text, client.encoding);
  client.documents.show(document);
  const errors: ToolError[] = [];
  for (const position of positions) {
    try {
      const answer = await askAt({ textDocument: toIdentifier(document), position });
      if (answer !== undefined) return answer;
    } catch (error) {
      // Of a word in a comment, gopls says that there is no identifier.
      if (!(ToolError.isInstance(error) && error.code === "failed")) throw error;
      errors.push(error);
    }
  }
  if (errors.length === positions.length) throw errors[0];
  return undefined;
}

function ask<T>({ client, runtime }: Question, method: string, params: object): Promise<T> {
  return client.request<T>(method, params, runtime.signal);
}

function toIdentifier({ path }: TextDocument): { readonly uri: string } {
  return { uri: pathToFileURL(path).href };
}

function requireOffer({ client, args }: Question, method: string): void {
  if (client.offers.has(method)) return;
  throw new ToolError("unavailable", `${client.name} does not support ${args.operation}.`, {
    remedy,
  });
}

const maxEntries = 200;

function cut<Field extends "symbols" | "diagnostics">(
  field: Field,
  entries: NonNullable<LspData[Field]>,
  { args: { limit = maxEntries } }: Question,
): Answer {
  if (entries.length <= limit) return { [field]: entries };
  return { [field]: entries.slice(0, limit), ...explainCut(entries.length, limit) };
}

function explainCut(total: number, limit: number): Pick<Answer, "truncated" | "message"> {
  return { truncated: true, message: `Showing the first ${limit} of ${total}.` };
}

function finish(data: LspData, { client, args }: Question): LspData {
  if (data.diagnostics !== undefined) {
    return isEmpty(data) && data.message === undefined
      ? { ...data, message: "No diagnostics." }
      : data;
  }
  const why = explainIncomplete(client, args.operation);
  if (!isEmpty(data)) {
    if (why === undefined || !projectWide.has(args.operation)) return data;
    return { ...data, message: [data.message, why].filter(Boolean).join(" ") };
  }
  const hint =
    args.symbol === undefined && args.character !== undefined
      ? "If the position may be wrong, use symbol instead of character."
      : "";
  return {
    ...data,
    message: [`${client.name} found nothing.`, why, hint].filter(Boolean).join(" "),
  };
}

function explainIncomplete(
  { name, work, missingIndex }: LanguageClient,
  operation: LspOperation,
): string | undefined {
  const busy = work.current();
  if (busy !== undefined) {
    return `${name} is still busy (${busy || "loading"}) and may find more later.`;
  }
  if (missingIndex === undefined || !projectWide.has(operation)) return undefined;
  return `There may be more: without ${missingIndex}, ${name} searches only files that were opened. Create it, or search the other files for the text.`;
}

const maxBytes = 20_000;

/** Returns the hover text as Markdown, or `undefined` if there is none. */
function toHoverText(hover: Hover | null | undefined): string | undefined {
  const contents = [hover?.contents ?? []].flat();
  const text = contents
    .map((part) => {
      if (typeof part === "string") return part;
      if (!("language" in part)) return part.value;
      return `\`\`\`${part.language}\n${part.value}\n\`\`\``;
    })
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("\n\n");
  return text === "" ? undefined : utf8Head(text, maxBytes);
}
