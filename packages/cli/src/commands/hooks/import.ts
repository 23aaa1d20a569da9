import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { DiskComputer } from "@haft/computer";
import { stateDirectory } from "@haft/computer/internal";
import { type ImportedHooks, listImportedHooks, storeImportedHooks } from "@haft/connect/internal";
import {
  type HookFile,
  type HookFormatName,
  hookDialects,
  isInWorkspace,
  listHookPlaces,
  loadHooks,
  parseHookFile,
  readHookText,
} from "@haft/connect/internal/hooks";
import type { CommandInput } from "../../command.ts";
import { homeOf, type Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { choosePrinter } from "../../terminal/choose-printer.ts";
import { printJson } from "../../terminal/print-result.ts";
import { reviewItems } from "../../trust/review-items.ts";
import { showItem } from "../../trust/show-item.ts";
import { UsageError } from "../../usage-error.ts";
import { formatHookFile, listHookLines } from "./hook-lines.ts";

/** `haft hooks import`: shows the hooks of other agents and stores them. */
export async function importHooks(
  input: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  const computer = openComputer(options, io);
  const found = await findFiles(input.positionals, computer, io);
  const isDry = input.options["dry-run"] === true;
  const asks = !isDry && !options.yes && !options.headless;
  const print = choosePrinter({ ...options, asks }, io);
  for (const { file, entry } of found) {
    for (const line of formatHookFile(file, scopeOf(entry))) print(line);
  }
  if (found.length > 0) {
    print(
      "They run with your permissions, outside of the sandbox, around the calls of every session.",
    );
  }
  const isAgreed = !isDry && found.length > 0 && (asks ? await agrees(io) : options.yes);
  if (isAgreed) await store(found, computer, { io, asks });
  if (options.json) {
    const files = found.map(({ file, entry }) => ({
      path: file.path,
      agent: file.format,
      scope: scopeOf(entry),
      hooks: listHookLines(file),
      ignored: file.ignored,
    }));
    printJson({ files, stored: isAgreed }, io);
  } else if (isAgreed) io.out("Stored. haft hooks list shows them.\n");
  else if (found.length === 0) io.out("No hooks found.\n");
  else
    io.out(
      isDry || asks ? "Nothing was stored.\n" : "Nothing was stored. To store them, add --yes\n",
    );
  return 0;
}

interface FoundHooks {
  readonly file: HookFile;
  readonly entry: ImportedHooks;
}

async function findFiles(
  words: readonly string[],
  computer: DiskComputer,
  io: Io,
): Promise<readonly FoundHooks[]> {
  const agents = Object.keys(hookDialects) as HookFormatName[];
  const isAgent = (word: string): word is HookFormatName => Object.hasOwn(hookDialects, word);
  const named = words.filter((word) => !isAgent(word)).map((word) => resolve(io.directory, word));
  const missing = named.find((path) => !existsSync(path));
  if (missing !== undefined) {
    throw new UsageError(
      `${missing} does not exist. Name a hook file, or an agent: ${agents.join(", ")}.`,
    );
  }
  const [workspace = ""] = computer.roots;
  const { environment } = io;
  const wanted = words.length === 0 ? agents : words.filter(isAgent);
  const usual = wanted.flatMap((agent) =>
    listHookPlaces(agent, { workspace, home: homeOf(io), environment })
      .filter((path) => existsSync(path))
      .map((path) => ({ path, agent })),
  );
  const found: FoundHooks[] = [];
  for (const { path, agent } of [...usual, ...named.map((path) => ({ path, agent: undefined }))]) {
    try {
      const text = readHookText(path, computer.roots);
      const file = await parseHookFile(text, path, agent);
      if (listHookLines(file).length + file.ignored.length === 0) continue;
      const { format } = file;
      const isOfProject = isInWorkspace(path, computer.roots);
      const entry = isOfProject ? { path, format, workspace } : { path, format, content: text };
      found.push({ file, entry });
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  }
  return found;
}

async function store(
  found: readonly FoundHooks[],
  computer: DiskComputer,
  { io, asks }: { readonly io: Io; readonly asks: boolean },
): Promise<void> {
  const directory = stateDirectory(io.environment);
  const added = found.map(({ entry }) => entry);
  const others = listImportedHooks(directory).filter(
    ({ path }) => !added.some((entry) => entry.path === path),
  );
  storeImportedHooks(directory, [...others, ...added]);
  const { untrusted } = await loadHooks({ imported: added, named: [] }, computer);
  if (asks) {
    await reviewItems(untrusted, computer, io);
    return;
  }
  for (const item of untrusted) {
    io.error(showItem(item, computer));
    computer.trust.trust(item);
  }
}

function scopeOf({ workspace }: ImportedHooks): string {
  return workspace === undefined ? "every workspace" : "this workspace";
}

async function agrees(io: Io): Promise<boolean> {
  const answer = await io.readLine("Store these? [y/n] ", io.signal);
  return /^y(?:es)?$/iu.test(answer?.trim() ?? "");
}
