/** Whether an object is an image or a sound whose `data` is bytes in base64: no text to read or to cut. */
export function isPicture({ type, data }: Readonly<Record<string, unknown>>): boolean {
  return (type === "image" || type === "audio") && typeof data === "string";
}
