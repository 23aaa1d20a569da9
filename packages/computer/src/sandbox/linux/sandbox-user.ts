import { userInfo } from "node:os";

/** The user of a command in a sandbox. */
export interface SandboxUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  readonly home: string;
  /** The login shell, which is also the value of `SHELL`. */
  readonly shell: string;
  /** Whether it differs from the user that runs us. */
  readonly isOther: boolean;
}

/**
 * Returns the user of a sandbox. Users stay themselves, except root: outside it becomes an
 * unprivileged user, and inside an ordinary one. Untrusted programs run as an ordinary user with
 * another name.
 */
export function describeUser(home: string, isBare = false): Omit<SandboxUser, "shell"> {
  const { uid, gid, name } = readUser();
  if (uid === 0 || isBare) {
    return { uid: 1000, gid: 1000, name: "haft", home, isOther: uid === 0 };
  }
  return { uid, gid, name, home, isOther: false };
}

function readUser(): Pick<SandboxUser, "uid" | "gid" | "name"> {
  try {
    const { uid, gid, username } = userInfo();
    return { uid, gid, name: /^[\w.-]+$/u.test(username) ? username : "user" };
  } catch {
    // The system may have no name for the user.
    return { uid: process.getuid?.() ?? 1000, gid: process.getgid?.() ?? 1000, name: "user" };
  }
}
