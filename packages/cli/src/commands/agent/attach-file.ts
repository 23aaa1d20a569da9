import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { PromptPart } from "@haft/agent";
import { UsageError } from "../../usage-error.ts";

const maxImageBytes = 5 * 1024 * 1024;
const maxTextBytes = 200 * 1024;

/** Turns a file into a part of a prompt: an image as it is, a text with its path. */
export async function attachFile(path: string, directory: string): Promise<PromptPart> {
  const bytes = await readBounded(path, directory);
  const mediaType = imageTypeOf(bytes);
  if (mediaType !== undefined) {
    return { type: "file", mediaType, data: bytes.toString("base64") };
  }
  if (bytes.length > maxTextBytes) throw tooLarge(path, maxTextBytes);
  return {
    type: "text",
    text: `<file path=${JSON.stringify(path)}>\n${decode(bytes, path)}\n</file>`,
  };
}

async function readBounded(path: string, directory: string): Promise<Buffer> {
  const full = resolve(directory, path);
  try {
    const stats = await stat(full);
    if (!stats.isFile()) throw new UsageError(`--file ${path}: it is not a file.`);
    if (stats.size > maxImageBytes) throw tooLarge(path, maxImageBytes);
    return await readFile(full);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--file ${path}: it cannot be read: ${(error as Error).message}`);
  }
}

function imageTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("\u0089PNG\r\n")) return "image/png";
  if (head.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (/^GIF8[79]a/u.test(head)) return "image/gif";
  return /^RIFF.{4}WEBP/s.test(head) ? "image/webp" : undefined;
}

function decode(bytes: Buffer, path: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text.replace(/\n$/u, "");
  } catch {
    // Said below.
  }
  throw new UsageError(
    `--file ${path}: it is neither UTF-8 text nor a PNG, JPEG, GIF or WebP image.`,
  );
}

function tooLarge(path: string, most: number): UsageError {
  return new UsageError(
    `--file ${path}: it is larger than ${most / 1024} KB. Name it in the prompt: the agent can read parts of it.`,
  );
}
