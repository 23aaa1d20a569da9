import { type ErrorCode, ToolError } from "@haft/contract";
import { clipText } from "@haft/contract/internal";
import { toPlainText } from "../bash/to-plain-text.ts";
import type { CloneRequest } from "./git-command.ts";

/** Creates the error for a failed clone: the reason, and what to do. */
export function explainFailure(stderr: string, request: CloneRequest): ToolError {
  const said = clean(stderr);
  const { code, remedy } = known.find(({ signs }) => signs.test(said)) ?? otherwise;
  const { url, host } = request.address;
  const sentence = remedy
    .replaceAll("{host}", () => host)
    .replaceAll("{ref}", () => request.ref ?? "");
  return new ToolError(
    code,
    [`Could not clone ${url}.`, sentence, `git said: ${said}`].filter(Boolean).join(" "),
  );
}

interface Failure {
  readonly signs: RegExp;
  readonly code: ErrorCode;
  readonly remedy: string;
}

const otherwise: Pick<Failure, "code" | "remedy"> = {
  code: "failed",
  remedy: "Check the address.",
};

const known: readonly Failure[] = [
  {
    signs: /remote branch .* not found|could not find remote branch/iu,
    code: "not-found",
    remedy: "It has no branch or tag named {ref}.",
  },
  // Messages of the network proxy, or of git because of it.
  { signs: /Haft: .* may not be reached/u, code: "out-of-scope", remedy: "" },
  {
    signs: /CONNECT tunnel failed, response 403|HTTP code 403 from proxy/u,
    code: "out-of-scope",
    remedy:
      "{host} may not be reached: only public hosts may, and those that a person allows by name, with --allow-host {host}.",
  },
  {
    signs:
      /Haft: |error: 50\d|CONNECT tunnel failed|from proxy after CONNECT|could not resolve|failed to connect|couldn't connect|connection (?:refused|reset)|unreachable/iu,
    code: "unavailable",
    remedy: "{host} can't be reached: check the address, or try later.",
  },
  {
    signs:
      /terminal prompts disabled|could not read (?:username|password)|authentication failed|error: 40[13]/iu,
    code: "not-found",
    remedy:
      "It needs credentials, which are never used here, or does not exist. Check the address, or ask the person to clone it.",
  },
  {
    signs: /not found|error: 404|does not appear to be a git repository/iu,
    code: "not-found",
    remedy: "There is no repository at this address; check it.",
  },
  {
    signs: /timed? ?out|too slow|less than \d+ bytes\/sec/iu,
    code: "timeout",
    remedy: "{host} did not answer in time; try later.",
  },
  {
    signs: /shallow/iu,
    code: "failed",
    remedy: "The server can't give a part of the history only.",
  },
  {
    signs: /no space left|disk quota|file too large/iu,
    code: "quota",
    remedy: "There is not enough room for it.",
  },
];

const maxShown = 1_000;

function clean(stderr: string): string {
  const plain = toPlainText(stderr)
    .split("\n")
    .map((line) => line.replace(/^(?:fatal|error|remote|warning):\s*/u, "").trim())
    .filter((line) => line !== "" && !line.startsWith("Cloning into"))
    .join(" ")
    // The target of a redirect may contain a secret.
    .replaceAll(/\/\/[^/@\s]+@/gu, "//");
  if (plain === "") return "nothing.";
  return clipText(plain, maxShown);
}
