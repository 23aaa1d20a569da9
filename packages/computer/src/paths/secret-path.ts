import { foldPath } from "./fold-path.ts";

/** Returns whether a file holds secrets, judging by its name. */
export function isSecretPath(path: string): boolean {
  const folded = foldPath(path);
  const name = folded.slice(folded.lastIndexOf("/") + 1);
  if (secretName.test(name)) return !harmlessName.test(name);
  // A quick check that settles almost every path: a search makes thousands.
  if (!folded.includes("/.") && !folded.startsWith("/etc/")) return false;
  return secretPlace.test(folded) && !harmlessInSsh.test(folded);
}

const secretName = new RegExp(
  [
    String.raw`^\.env(?:rc|[._-].*)?~?$`,
    String.raw`^credentials(?:\..*)?~?$`,
    "^id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-].*)?~?$",
    String.raw`^(?:\.npmrc|\.netrc|_netrc|\.pypirc|\.git-credentials|\.pgpass|\.htpasswd)(?:\..*)?~?$`,
    String.raw`^(?:\.dockercfg|\.vault-token|\.my\.cnf|\.s3cfg)$`,
    String.raw`^secrets\.(?:json|ya?ml|toml)~?$`,
    String.raw`\.(?:pem|key|p12|pfx|keystore|jks|kdbx|ppk)~?$`,
    // A write of ours that was interrupted: it may hold a part of any of the above.
    String.raw`^\.haft-[0-9a-f]+\.tmp$`,
  ].join("|"),
  "u",
);

// The last is a public certificate bundle, which TLS libraries install.
const harmlessName = /^\.env.*\.(?:example|sample|template)$|^id_.*\.pub$|^cacert\.pem$/u;

const secretPlace =
  /^\/etc\/(?:g?shadow-?|sudoers|master\.passwd)$|\/\.(?:aws|ssh|gnupg|azure)\/.|\/\.config\/gcloud\/.|\/\.config\/gh\/hosts\.yml$|\/\.kube\/config$|\/\.docker\/config\.json$/u;

const harmlessInSsh = /\/\.ssh\/(?:known_hosts(?:\.old)?|config|[^/]*\.pub)$/u;
