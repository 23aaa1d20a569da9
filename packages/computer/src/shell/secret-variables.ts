import { isRandom } from "@haft/core/internal";

/**
 * Returns the values of an environment that must not be shown, by name: of variables whose names
 * suggest a secret, whether they are passed to programs or not. Where a variable is not passed, its
 * value must look like a secret too. `DB_PASSWORD=postgres` must not
 * hide every `postgres`.
 */
export function findSecretVariables(
  environment: Readonly<Record<string, string | undefined>>,
  passed: readonly string[],
): Readonly<Record<string, string>> {
  const found = Object.entries(environment).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    if (!value || isLocation(value)) return false;
    if (passed.includes(name)) return hasSecretName(name) || holdsRandom(value);
    if (sure.test(name) && !describing.test(name)) return isNoWord(value);
    return doubtful.test(name) && holdsRandom(value);
  });
  return Object.fromEntries(found);
}

/** Whether the name of a variable suggests that its value is a secret. */
export function hasSecretName(name: string): boolean {
  return (sure.test(name) && !describing.test(name)) || doubtful.test(name);
}

const sure = new RegExp(
  [
    "SECRET|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|CREDENTIAL|API_?KEY|ACCESS_?KEY",
    "(?:KEY|TOKEN)S?\\d*$",
    "(?:^|_)(?:KEY|TOKEN|PASS|PWD?|CREDS?|AUTH|BEARER|COOKIE|DSN|JWT|HMAC)(?:_|\\d*$)",
    "CONN(?:ECTION)?_?STR(?:ING)?$",
  ].join("|"),
  "iu",
);

// `GH_PAT` and `STRIPE_SK` are secrets; `DESKTOP_SESSION` is none.
const doubtful =
  /(?:^|_)(?:PAT|SK|WEBHOOKS?|SESSION|PRIVATE|SIGNATURE|SIGNING|SALT|SEED|PIN|OTP|MNEMONIC|(?:DATABASE|DB|REDIS|MONGO|AMQP)_UR[IL])(?:_|\d*$)/iu;

// `AUTH_TYPE` and `COOKIE_DOMAIN` tell about a secret.
const describing =
  /_(?:TYPE|KIND|METHOD|MODE|DOMAIN|NAME|HOST|PORT|USER|PATH|FILE|DIR|SOCK|TTL|LIMIT|REGION|ALGORITHM|ENABLED)$/iu;

/** Whether a value is a path, or the address of a host and nothing more. */
function isLocation(value: string): boolean {
  return /^(?:~|\.{1,2})?\/|^[A-Za-z]:\\|^https?:\/\/[^/?#@]*\/?$/u.test(value);
}

function isNoWord(value: string): boolean {
  return value.length >= 8 && !/^(?:[A-Za-z]+|\d+)$/u.test(value);
}

function holdsRandom(value: string): boolean {
  return /:\/\/[^/\s]*@/u.test(value) || value.split(/[^\w+=.-]/u).some(isRandom);
}
