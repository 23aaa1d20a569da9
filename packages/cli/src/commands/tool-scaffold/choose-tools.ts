import { nearestNames, toVisibleLine } from "@haft/core/internal";
import type { CommandInput } from "../../command.ts";
import { optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { UsageError } from "../../usage-error.ts";
import type { ToolFolder } from "./find-tools.ts";

/** Chooses tools by the options, or by asking in the terminal. */
export async function chooseTools(
  tools: readonly ToolFolder[],
  input: CommandInput,
  io: Io,
): Promise<readonly ToolFolder[]> {
  const wanted = optionTexts(input, "tool");
  if (input.options.all === true) {
    if (wanted.length > 0)
      throw new UsageError("--all and --tool exclude each other. Use only one of them.");
    return tools;
  }
  if (wanted.length > 0) return [...new Set(wanted.map((word) => requireFolder(word, tools)))];
  if (!io.interactive) {
    throw new UsageError(
      "Name the tools with --tool TOOL or --all: there is no terminal to ask in.",
    );
  }
  return ask(tools, io);
}

function requireFolder(word: string, tools: readonly ToolFolder[]): ToolFolder {
  const path = word.replace(/^\.\/+/u, "").replace(/\/+$/u, "");
  const found = tools.find((tool) => tool.path === path) ?? tools.find(({ name }) => name === word);
  if (found !== undefined) return found;
  const names = tools.map(({ name }) => name);
  const near = nearestNames(word, names);
  const hint =
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `Tools: ${names.join(", ")}.`;
  throw new UsageError(`There is no tool ${JSON.stringify(word)} here. ${hint}`);
}

async function ask(tools: readonly ToolFolder[], io: Io): Promise<readonly ToolFolder[]> {
  for (const [at, { name, path, runtime }] of tools.entries()) {
    io.error(`  ${at + 1}  ${toVisibleLine(`${name} (${runtime}, ${path})`)}\n`);
  }
  while (true) {
    const prompt = "Which tools? Numbers separated by commas, or all: ";
    const answer = await io.readLine(prompt, io.signal);
    if (answer === undefined || answer.trim() === "") throw new UsageError("Nothing was chosen.");
    if (answer.trim() === "all") return tools;
    const chosen = answer
      .split(/[\s,]+/u)
      .filter(Boolean)
      .map((word) => tools[Number(word) - 1]);
    if (chosen.every((tool) => tool !== undefined)) return [...new Set(chosen)];
    io.error(`haft: enter numbers from 1 to ${tools.length}\n`);
  }
}
