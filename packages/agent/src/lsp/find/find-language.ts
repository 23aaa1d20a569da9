import { basename, extname } from "node:path";
import type { Language } from "./language.ts";
import { languageTable } from "./language-table.ts";

/** The language of a file and its ID in the protocol. */
export interface FileLanguage {
  readonly language: Language;
  readonly languageId: string;
}

/** Returns the language of a file by its name. */
export function findLanguage(path: string): FileLanguage | undefined {
  const name = basename(path);
  return byName.get(name) ?? byName.get(extname(name).toLowerCase());
}

const byName: ReadonlyMap<string, FileLanguage> = new Map(
  languageTable.flatMap((language) =>
    Object.entries(language.files).map(([name, languageId]) => [name, { language, languageId }]),
  ),
);
