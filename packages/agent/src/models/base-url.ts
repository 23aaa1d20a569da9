/** Looks at a base URL before a key is sent there. Throws a `TypeError` if it is none. */
export function checkBaseUrl(text: string, source: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/u.test(url.protocol) || url.hostname === "") {
    throw new TypeError(
      `${source} is not a URL: ${JSON.stringify(withoutPassword(text))}. It has to be one such as http://127.0.0.1:8080/v1.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      `${source} has a name or password in it, which requests can't be sent to. Leave it out, and put the key into the provider's variable.`,
    );
  }
  return url;
}

/** Whether what is sent to a URL stays on this machine. */
export function isLoopback(url: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(url.hostname);
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/u, "//…@");
}
