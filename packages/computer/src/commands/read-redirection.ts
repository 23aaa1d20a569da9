import { isInside } from "@haft/contract/internal";
import type { ReadWord, ReadWrite } from "@haft/core";
import type { Redirect } from "unbash";
import { isProtectedPath } from "../paths/protected-path.ts";
import { resolvePath } from "../paths/resolve-path.ts";
import type { Directory } from "./directory.ts";
import { joinPath } from "./judge-target.ts";
import type { ReadingDraft } from "./reading-draft.ts";
import { isSecretWord } from "./secret-word.ts";

/** What a redirection does. */
export interface RedirectionReading {
  readonly write?: ReadWrite;
  readonly doubt?: string;
}

/** The context of a redirection. */
export interface RedirectionContext {
  readonly directory: Directory;
  readonly draft: Pick<ReadingDraft, "place" | "disk">;
}

/** Reads one redirection whose target is known, or is not literal. */
export function readRedirection(
  { operator, descriptor }: Redirect,
  target: ReadWord,
  { directory, draft }: RedirectionContext,
): RedirectionReading {
  if (descriptor?.type === "FileDescriptorVariable") return { doubt: "it sets a variable" };
  const copies = operator === ">&" || operator === "<&";
  if (copies && target !== undefined && /^(?:\d+-?|-)$/u.test(target)) return {};
  const isReading = operator === "<" || operator === "<&";
  if (target === undefined) {
    const doubt = "the target of its redirection is not literal";
    return isReading ? { doubt } : { doubt, write: { path: undefined } };
  }
  if (/^\/+dev\/+(?:tcp|udp)\//u.test(target)) return { doubt: `${target} uses the network` };
  if (isReading) {
    return isSecretWord(target, directory) ? { doubt: `${target} names a secret file` } : {};
  }
  return streams.test(target) ? {} : { write: toWrite(target, directory, draft) };
}

const streams = /^\/dev\/(?:null|stdout|stderr|fd\/\d+)$/u;

function toWrite(
  target: string,
  directory: Directory,
  { place, disk }: RedirectionContext["draft"],
): ReadWrite {
  const asked = joinPath(directory, target);
  if (asked === undefined || target === "") return { path: undefined };
  const landing = disk.landing(asked);
  // The kernel follows links before it resolves `..`.
  const path = target.includes("..") ? landing : resolvePath(asked, { base: "/", home: undefined });
  const isPrivate = temporary.test(landing) && !place.roots.some((root) => isInside(root, landing));
  return {
    path,
    ...(landing !== path && { landing }),
    ...((isProtectedPath(path) || isProtectedPath(landing)) && { refusal: `${path} is protected` }),
    ...(isPrivate && { isPrivate }),
  };
}

const temporary = /^\/(?:var\/)?tmp\/./u;
