import { type Net, ToolError } from "@haft/contract";
import { type RepositoryAddress, readAddress } from "./repository-address.ts";

const refs = "/info/refs";
const service = "?service=git-upload-pack";
const maxBytes = 64 * 1024;

/**
 * Requests a repository as git would, so that the usual host rules apply and git need not follow
 * redirects. Returns the address after redirects.
 */
export async function findRepository(
  address: RepositoryAddress,
  net: Net,
): Promise<RepositoryAddress> {
  const { url, host } = address;
  const headers = { "user-agent": "git/2", "git-protocol": "version=2" };
  const response = await net.fetch({
    url: `${url}${refs}${service}`,
    headers,
    maxBytes,
  });
  if (response.status < 200 || response.status > 299) throw explainStatus(response.status, url);
  const end = response.url.indexOf(`${refs}${service}`);
  if (end === -1) {
    throw new ToolError("not-found", `${url} is not a git repository.`);
  }
  const found = readAddress(response.url.slice(0, end));
  if (found.host === host) return { ...found, name: address.name };
  throw new ToolError(
    "conflict",
    `${url} redirects to another host, which was not approved. Clone ${found.url} instead.`,
  );
}

function explainStatus(status: number, url: string): ToolError {
  if (status === 401 || status === 403) {
    return new ToolError(
      "not-found",
      `${url} needs credentials, which are never used here, or does not exist. Check the address, or ask the person to clone it.`,
    );
  }
  if (status === 404 || status === 410) {
    return new ToolError("not-found", `There is no repository at ${url}; check the address.`);
  }
  const isPassing = status === 429 || status >= 500;
  return new ToolError(
    isPassing ? "unavailable" : "failed",
    `The server answered with status ${status} for ${url}.${isPassing ? " Try later." : ""}`,
  );
}
