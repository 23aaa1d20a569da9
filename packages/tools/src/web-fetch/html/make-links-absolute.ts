/** Lets every link and image of a page say where it leads by itself; those that lead nowhere go. */
export function makeLinksAbsolute(document: Document, url: string): void {
  const start = toUrl(document.querySelector("base")?.getAttribute("href"), url) ?? url;
  for (const link of document.querySelectorAll("a[href]")) {
    const target = toUrl(link.getAttribute("href"), start);
    if (target === undefined || isSamePage(target, url)) link.removeAttribute("href");
    else link.setAttribute("href", target);
  }
  for (const image of document.querySelectorAll("img")) {
    const target = toUrl(image.getAttribute("src"), start);
    if (target === undefined || !image.getAttribute("alt")?.trim()) image.remove();
    else image.setAttribute("src", target);
  }
}

function toUrl(written: string | null | undefined, base: string): string | undefined {
  if (!written) return undefined;
  const url = URL.parse(written, base);
  if (url === null || !/^(?:https?|mailto):$/u.test(url.protocol)) return undefined;
  // A password in a link is not for those who read the page.
  if (url.password !== "") return undefined;
  return url.href;
}

function isSamePage(target: string, url: string): boolean {
  return target.includes("#") && withoutFragment(target) === withoutFragment(url);
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/su, "");
}
