import { fileURLToPath } from "node:url";
import type { ContentBlock } from "@agentclientprotocol/sdk";
import type { PromptPart } from "../../loop/prompt-part.ts";
import { invalidParams } from "../request-errors.ts";

/** Converts the blocks of a prompt. Adjacent text is joined. */
export function toPromptParts(blocks: readonly ContentBlock[]): PromptPart[] {
  const parts: PromptPart[] = [];
  for (const part of blocks.map(toPart)) {
    const last = parts.at(-1);
    if (part.type === "text" && last?.type === "text") {
      parts[parts.length - 1] = { type: "text", text: last.text + part.text };
    } else parts.push(part);
  }
  if (parts.every((part) => part.type === "text" && part.text.trim() === "")) {
    throw invalidParams("The prompt is empty. Send text or an image.");
  }
  return parts;
}

function toPart(block: ContentBlock): PromptPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return toFile(block.mimeType, block.data);
    case "resource_link":
      return { type: "text", text: `[${block.name}](${toPlace(block.uri)})` };
    case "resource":
      return fromResource(block.resource);
    case "audio":
      throw invalidParams("Audio is not supported. Send text.");
  }
}

type Resource = Extract<ContentBlock, { type: "resource" }>["resource"];

function fromResource(resource: Resource): PromptPart {
  const { uri, mimeType } = resource;
  if ("text" in resource) {
    return { type: "text", text: `\n<resource uri="${uri}">\n${resource.text}\n</resource>\n` };
  }
  if (mimeType != null && isReadable(mimeType)) return toFile(mimeType, resource.blob);
  throw invalidParams(`${uri} is neither text nor an image. Send a link instead.`);
}

function toFile(mediaType: string, data: string): PromptPart {
  if (!isReadable(mediaType)) {
    throw invalidParams(`${mediaType} can't be shown to a model. Send text or an image.`);
  }
  return { type: "file", mediaType, data };
}

function isReadable(mediaType: string): boolean {
  return /^image\/[\w.+-]+$/u.test(mediaType) || mediaType === "application/pdf";
}

// The model's tools need a path, not a URI.
function toPlace(uri: string): string {
  try {
    return uri.startsWith("file:") ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
