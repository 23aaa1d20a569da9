import { userInfo } from "node:os";

/** Who a command is in a sandbox. */
export interface SandboxUser {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
  readonly home: string;
  /** Whether it is somebody else than who runs us. */
  readonly isOther: boolean;
}

/**
 * Everybody stays who they are. Only root does not: outside it is somebody without any rights then,
 * and inside an ordinary user.
 */
export function describeUser(home: string): SandboxUser {
  const { uid, gid, name } = readUser();
  if (uid === 0) return { uid: 1000, gid: 1000, name: "haft", home, isOther: true };
  return { uid, gid, name, home, isOther: false };
}

function readUser(): Pick<SandboxUser, "uid" | "gid" | "name"> {
  try {
    const { uid, gid, username } = userInfo();
    return { uid, gid, name: /^[\w.-]+$/u.test(username) ? username : "user" };
  } catch {
    // The system need not know the user by name.
    return { uid: process.getuid?.() ?? 1000, gid: process.getgid?.() ?? 1000, name: "user" };
  }
}
