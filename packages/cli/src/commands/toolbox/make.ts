import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseToolboxDirectory } from "@haft/connect/toolbox";
import { toVisibleLine } from "@haft/core";
import type { CommandInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { openComputer } from "../../open-workspace.ts";
import type { CommonOptions } from "../../options/common-options.ts";
import { printJson } from "../../terminal/print-result.ts";
import { UsageError } from "../../usage-error.ts";
import { placeOf } from "./locate-toolbox.ts";
import { languages, scriptTemplate } from "./script-template.ts";

/** `haft toolbox make`: writes a script to start from. */
export async function makeScript(
  { positionals: [name, extra], options: given }: CommandInput,
  options: CommonOptions,
  io: Io,
): Promise<number> {
  if (extra !== undefined) throw new UsageError(`One script at a time; what is ${extra}?`);
  if (name === undefined) throw new UsageError("What is it to be called? haft toolbox make NAME");
  if (!/^[a-zA-Z0-9_-]{1,60}$/u.test(name)) {
    throw new UsageError(
      `${JSON.stringify(name)} is no name for a tool: up to 60 letters, digits, _ and -.`,
    );
  }
  const language = readLanguage(given.language);
  const place = { ...placeOf(openComputer(options, io), io), isForUser: given.user === true };
  const directory = chooseToolboxDirectory(io.environment, place);
  const path = join(directory, `${name}${languages[language].ending}`);
  const content = scriptTemplate({ name, language, isText: given.text === true });
  try {
    mkdirSync(directory, { recursive: true });
    writeFileSync(path, content, { flag: "wx", mode: 0o755 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "is there already; take another name" : `failed: ${message}`;
    throw new UsageError(`${path} ${why}.`);
  }
  if (options.json) printJson({ name: `tb__${name}`, script: path }, io);
  else io.out(`${toVisibleLine(`Made ${path}. Try it: haft toolbox test ${name} who=world`)}\n`);
  return 0;
}

function readLanguage(given: unknown): keyof typeof languages {
  const language = given ?? "bash";
  if (typeof language === "string" && Object.hasOwn(languages, language)) {
    return language as keyof typeof languages;
  }
  const known = Object.keys(languages).join(", ");
  throw new UsageError(`--language is one of ${known}, not ${JSON.stringify(language)}.`);
}
