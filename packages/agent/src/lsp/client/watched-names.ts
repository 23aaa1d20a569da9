import { extname } from "node:path";
import type { Language } from "../find/language.ts";

/** Tells the names of files whose changes a language's server wants to know. */
export function watchedNames({ files, markers }: Language): (name: string) => boolean {
  const names = new Set([...Object.keys(files), ...markers.flat()]);
  // Projects in TypeScript have more than one configuration, and import JSON.
  const wantsJson = names.has("tsconfig.json");
  return (name) => {
    const extension = extname(name).toLowerCase();
    return names.has(name) || names.has(extension) || (wantsJson && extension === ".json");
  };
}
