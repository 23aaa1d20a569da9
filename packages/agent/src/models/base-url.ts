/** Checks a base URL before a key is sent there. Throws a `TypeError` if it is not valid. */
export function checkBaseUrl(text: string, source: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/u.test(url.protocol) || url.hostname === "") {
    throw new TypeError(
      `${source} is not a URL: ${JSON.stringify(withoutPassword(text))}. Use a URL such as http://127.0.0.1:8080/v1.`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      `${source} contains a user name or password, which is not supported. Remove it, and put the key into the provider's variable.`,
    );
  }
  return url;
}

/** Tells whether a URL points to this machine. */
export function isLoopback(url: URL): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u.test(url.hostname);
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/u, "//…@");
}
