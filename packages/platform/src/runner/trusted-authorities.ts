import { existsSync } from "node:fs";

/** The certificate authorities that this server trusts, for programs in sandboxes. */
export interface TrustedAuthorities {
  readonly environment: Readonly<Record<string, string>>;
  /** The files and directories that the variables refer to. */
  readonly reads: readonly string[];
}

const names = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"];

/** Returns the trust settings of an environment. Sandboxes get no other variables of it. */
export function findTrustedAuthorities(
  environment: NodeJS.ProcessEnv = process.env,
): TrustedAuthorities {
  const kept = names.flatMap((name) => {
    const path = environment[name];
    return path !== undefined && existsSync(path) ? [[name, path] as const] : [];
  });
  const paths = new Set(kept.map(([, path]) => path));
  return {
    environment: Object.fromEntries(kept),
    // Sandboxes can read these directories of /etc anyway.
    reads: [...paths].filter((path) => !/^\/(?:etc|proc|sys|dev)(?:\/|$)/u.test(path)),
  };
}
