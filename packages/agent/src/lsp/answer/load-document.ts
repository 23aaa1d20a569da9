import { type FileSystem, ToolError } from "@haft/contract";
import { stampOf } from "../client/file-stamp.ts";
import type { TextDocument } from "../client/text-document.ts";
import { findLanguage } from "../find/find-language.ts";
import { remedy } from "../remedy.ts";

const maxBytes = 2 * 1024 * 1024;

/** Reads a file for a language server. */
export async function loadDocument(path: string, fs: FileSystem): Promise<TextDocument> {
  const stamp = stampOf(path);
  const { kind, size } = await fs.stat(path);
  if (kind !== "file") {
    throw new ToolError("invalid-arguments", `path: ${path} is not a file. Specify a file.`);
  }
  if (size > maxBytes) {
    throw new ToolError(
      "too-large",
      `${path} has ${size} bytes; the maximum for language servers is ${maxBytes}.`,
      { remedy },
    );
  }
  const { content } = await fs.load(path);
  if (content.includes(0)) {
    throw new ToolError("binary", `${path} is not a text file. Language servers read only text.`);
  }
  return {
    path,
    text: new TextDecoder().decode(content),
    languageId: findLanguage(path)?.languageId ?? "plaintext",
    stamp,
  };
}
