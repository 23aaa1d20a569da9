/** The images that hosts and models can show. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** Detects the type of an image by its first bytes, not by its name. */
export function findImageType(head: Uint8Array): ImageType | undefined {
  // Most files are not images, which the first byte shows.
  switch (head[0]) {
    case 0x89:
      return startsWith(head, "\x89PNG\r\n\x1a\n") ? "image/png" : undefined;
    case 0xff:
      return startsWith(head, "\xff\xd8\xff") ? "image/jpeg" : undefined;
    case 0x47:
      return startsWith(head, "GIF89a") || startsWith(head, "GIF87a")
        ? unlessText(head, "image/gif")
        : undefined;
    case 0x52:
      return startsWith(head, "RIFF") && startsWith(head.subarray(8), "WEBP")
        ? unlessText(head, "image/webp")
        : undefined;
    default:
      return undefined;
  }
}

function startsWith(bytes: Uint8Array, magic: string): boolean {
  for (let at = 0; at < magic.length; at++) if (bytes[at] !== magic.charCodeAt(at)) return false;
  return true;
}

/** Text may begin with the letters of an image signature, but contains no NUL. */
function unlessText(head: Uint8Array, type: ImageType): ImageType | undefined {
  return head.subarray(0, 8 * 1024).includes(0) ? type : undefined;
}
