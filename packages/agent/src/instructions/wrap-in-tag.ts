/** Wraps a text in a tag. Tags inside the text are escaped, so that it can't close the tag or open another. */
export function wrapInTag(
  tag: string,
  attributes: Readonly<Record<string, string>>,
  text: string,
): string {
  const named = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escapeText(value)}"`,
  );
  const like = new RegExp(`<(?=[\\s\\p{Cf}]*/?[\\s\\p{Cf}]*${tag})`, "giu");
  return `<${tag}${named.join("")}>\n${text.replaceAll(like, "&lt;")}\n</${tag}>`;
}

function escapeText(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll(/[\r\n]/gu, " ");
}
