/** A part of a prompt: text, or an image or other file in base64. */
export type PromptPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string; readonly data: string };
