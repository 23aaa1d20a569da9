import { basename, extname } from "node:path";
import type { Language } from "./language.ts";
import { languageTable } from "./language-table.ts";

/** The language of a file, and what the protocol calls it. */
export interface FileLanguage {
  readonly language: Language;
  readonly languageId: string;
}

/** Tells a file's language by its name. */
export function findLanguage(path: string): FileLanguage | undefined {
  const name = basename(path);
  return byName.get(name) ?? byName.get(extname(name).toLowerCase());
}

const byName: ReadonlyMap<string, FileLanguage> = new Map(
  languageTable.flatMap((language) =>
    Object.entries(language.files).map(([name, languageId]) => [name, { language, languageId }]),
  ),
);
