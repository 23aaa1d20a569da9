import { nearestNames, toVisibleLine, toVisibleText } from "@haft/core/internal";
import type { PlatformClient, ToolSet, ToolSetContent } from "@haft/platform/client";
import type { CommandInput } from "../../command.ts";
import { isConfirmed } from "../../environments/confirm.ts";
import { openClient } from "../../environments/open-client.ts";
import { optionText, optionTexts } from "../../environments/option-values.ts";
import type { Io } from "../../io.ts";
import { readSource } from "../../options/read-batch.ts";
import { printJson } from "../../terminal/print-result.ts";
import { toTable } from "../../terminal/table.ts";
import { UsageError } from "../../usage-error.ts";

const actions = ["list", "show", "create", "update", "delete"] as const;

/** `haft tool set`: lists, shows, creates, updates and deletes tool sets. */
export async function changeToolSets(input: CommandInput, io: Io): Promise<number> {
  const [word = "list", name] = input.positionals;
  const action = actions.find((each) => each === word);
  if (action === undefined) {
    const [near] = nearestNames(word, actions);
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new UsageError(`${JSON.stringify(word)} is not one of ${actions.join(", ")}.${hint}`);
  }
  const { sets } = openClient(input, io);
  const print = createPrint(input, io);
  if (action === "list") return listSets(sets, input, io);
  if (name === undefined) throw new UsageError(`haft tool set ${action} needs the set's NAME.`);
  switch (action) {
    case "show":
      return print(await sets.get(name));
    case "create": {
      const content = await readContent(input, io);
      return print(await sets.create({ name, tools: [], ...content }), "Created");
    }
    case "update": {
      const { instructions, tools } = await sets.get(name);
      const content = {
        instructions,
        tools: tools.map(toContent),
        ...(await readContent(input, io)),
      };
      return print(await sets.replace(name, content), "Updated");
    }
    default: {
      const question = `Delete the tool set ${JSON.stringify(name)}?`;
      if (await isConfirmed(question, input, io)) return deleteSet(sets, name, { input, io });
      io.error("haft: nothing was deleted\n");
      return 1;
    }
  }
}

type Sets = PlatformClient["sets"];

async function listSets(sets: Sets, input: CommandInput, io: Io): Promise<number> {
  const found = await sets.list();
  if (input.options.json === true) printJson(found, io);
  else if (found.tool_sets.length === 0) io.error("haft: no tool sets\n");
  else {
    const rows = found.tool_sets.map(({ name, tools }) => [name, tools.map(shownName).join(" ")]);
    io.out(toTable([["NAME", "TOOLS"], ...rows]));
  }
  return 0;
}

function createPrint(input: CommandInput, io: Io): (set: ToolSet, done?: string) => number {
  return (set, done) => {
    const count = `${set.tools.length} ${set.tools.length === 1 ? "tool" : "tools"}`;
    if (input.options.json === true) printJson(set, io);
    else if (done === undefined) io.out(describe(set));
    else io.out(`${toVisibleLine(`${done} the tool set ${set.name}: ${count}.`)}\n`);
    return 0;
  };
}

async function deleteSet(
  sets: Sets,
  name: string,
  { input, io }: { readonly input: CommandInput; readonly io: Io },
): Promise<number> {
  await sets.delete(name);
  if (input.options.json === true) printJson({ name, deleted: true }, io);
  else io.out(`${toVisibleLine(`Deleted the tool set ${name}.`)}\n`);
  return 0;
}

function describe({ name, instructions, tools }: ToolSet): string {
  const lines = tools.map(({ tool_name, version, name: own, instructions: more }) => {
    const renamed = own === null ? "" : ` (${tool_name})`;
    return toVisibleLine(`  ${own ?? tool_name}${renamed} ${version}${more && `: ${more}`}`);
  });
  const text = instructions === "" ? "" : `: ${toVisibleText(instructions)}`;
  return `${[`${toVisibleLine(name)}${text}`, "", ...lines].join("\n")}\n`;
}

function shownName({ tool_name, name }: ToolSet["tools"][number]): string {
  return name ?? tool_name;
}

type SetTool = ToolSetContent["tools"][number];

function toContent({ tool_id, version, name, instructions }: ToolSet["tools"][number]): SetTool {
  return { tool_id, version, name, instructions };
}

/** Reads what the options say of a set. */
async function readContent(input: CommandInput, io: Io): Promise<Partial<ToolSetContent>> {
  const file = optionText(input, "file");
  const tools = optionTexts(input, "tool").map(parseTool);
  const instructions = optionText(input, "instructions");
  return {
    ...(file === undefined ? {} : parseFile(await readSource([file], io), file)),
    ...(tools.length === 0 ? {} : { tools }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

function parseTool(text: string): SetTool {
  const found = /^(?:(?<name>[A-Za-z_][\w-]*)=)?(?<tool>\w+)(?:@(?<version>.+))?$/u.exec(text);
  const { name, tool, version } = found?.groups ?? {};
  if (tool === undefined) {
    throw new UsageError(
      `--tool ${JSON.stringify(text)} is not [NAME=]TOOL[@VERSION], such as look_up, look_up@1.2.3 or 'find=look_up@>=1,<2'.`,
    );
  }
  return { tool_id: tool, name: name ?? null, version: version ?? "latest" };
}

function parseFile(text: string, file: string): Partial<ToolSetContent> {
  try {
    const { instructions, tools } = JSON.parse(text) as Partial<ToolSetContent>;
    return {
      ...(instructions === undefined ? {} : { instructions }),
      ...(tools === undefined ? {} : { tools }),
    };
  } catch {
    throw new UsageError(
      `${file} is not JSON such as {"instructions": "…", "tools": [{"tool_id": "look_up"}]}.`,
    );
  }
}
