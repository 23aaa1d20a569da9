import { ToolError } from "@haft/contract";

/** The address and name of a repository. */
export interface RepositoryAddress {
  readonly url: string;
  readonly scheme: "http" | "https";
  /** Lower case, without port and brackets. */
  readonly host: string;
  /** A valid directory name, or `undefined` if the address has none. */
  readonly name: string | undefined;
}

/** Parses the address of a repository. Throws if it can't be cloned. */
export function readAddress(text: string): RepositoryAddress {
  const whole = /^[\w][\w.-]*\/[\w.-]+$/u.test(text) ? `https://github.com/${text}` : text;
  const found =
    URL.canParse(whole) && /^https?:\/\/[^/]/iu.test(whole) ? new URL(whole) : undefined;
  if (found === undefined || /[\s\p{Cc}\\]/u.test(whole)) throw refuse(explainOther(text));
  // It may contain a secret, so it is not shown.
  if (found.username !== "" || found.password !== "" || /^https?:\/\/[^/]*@/iu.test(whole)) {
    throw refuse(
      "The address has a user or password in it, which would be stored and shown. Give it without; what needs credentials a person has to clone.",
    );
  }
  if (found.search !== "" || found.hash !== "") {
    throw refuse(
      `${found.origin}${found.pathname} has a query or a fragment. Give the address without.`,
    );
  }
  const path = found.pathname.replace(/\/+$/u, "");
  const name = /([^/]+?)(?:\.git)?$/u.exec(path)?.[1];
  if (name === undefined) throw refuse(`${found.origin} names a host, but no repository on it.`);
  return {
    url: `${found.origin}${path}${whole === text ? "" : ".git"}`,
    scheme: found.protocol === "https:" ? "https" : "http",
    host: found.hostname.replace(/^\[(.*)\]$/u, "$1").replace(/\.$/u, ""),
    name: /^[\w][\w.-]*$/u.test(name) ? name : undefined,
  };
}

function explainOther(text: string): string {
  const [, host, path] = /^(?:ssh:\/\/)?[\w.-]+@([\w.-]+)[:/](.+)$/u.exec(text) ?? [];
  if (host !== undefined) {
    return `Repositories are cloned over https only, without keys. Try https://${host}/${path}.`;
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/iu.exec(text)?.[1];
  const what = scheme === undefined ? "This is no address" : `${scheme} addresses are not cloned`;
  return `${what}. Give an https address such as https://example.com/owner/name.git, or owner/name for GitHub.`;
}

function refuse(why: string): ToolError {
  return new ToolError("invalid-arguments", `url: ${why}`);
}
