import type { SecretBox } from "../secrets/secret-box.ts";

/** Seals nothing, but holds to the context, so that a test sees where it is wrong. */
export const plainBox: SecretBox = {
  seal: (text, context) => JSON.stringify([text, context]),
  open: (sealed, context) => {
    const [text, bound] = JSON.parse(sealed) as [string, string[]];
    if (JSON.stringify(bound) !== JSON.stringify(context)) throw new Error("sealed for another");
    return text;
  },
  keyIds: () => [],
};
