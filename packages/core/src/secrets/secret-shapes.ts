import { isRandom } from "./is-random.ts";

/** A kind of token that is known by how it looks. */
export interface SecretShape {
  /** What its placeholder is called. */
  readonly name: string;
  /** It begins with one of these. */
  readonly begins: readonly string[];
  /** All of it; if only its end is secret, that is a group. */
  readonly pattern: RegExp;
  /** Has the last word on what matched. */
  fits?(token: string): boolean;
}

/**
 * The tokens that can't be taken for anything else. Each has no space in it, at least twenty
 * letters, digits, `_` or `-` in a row within eighty characters of its beginning, and begins behind
 * another character than a letter or digit: that is how they are found. Where two begin at the same
 * place, the first in this list counts.
 */
export const secretShapes: readonly SecretShape[] = [
  shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", /gh[pousr]_[A-Za-z0-9]{36,255}/y),
  shape("github-token", "github_pat_", /github_pat_[A-Za-z0-9]{20,40}_[A-Za-z0-9]{40,255}/y),
  shape(
    "gitlab-token",
    "glpat- gldt- glrt- glcbt- glptt- glft-",
    /gl[a-z]+-[A-Za-z0-9_-]{20,300}/y,
  ),
  { ...shape("slack-token", "xox", /xox[abeoprs]-[A-Za-z0-9-]{20,300}/y), fits: hasDigit },
  shape("slack-token", "xapp-", /xapp-\d-[A-Z0-9]{8,20}-\d{8,20}-[a-f0-9]{32,128}/y),
  shape(
    "slack-webhook",
    "hooks.slack.com/services/",
    /hooks\.slack\.com\/services\/T[A-Z0-9]{6,14}\/B[A-Z0-9]{6,14}\/([A-Za-z0-9]{20,64})/y,
  ),
  shape("stripe-key", "sk_live_ rk_live_", /[sr]k_live_[A-Za-z0-9]{20,300}/y),
  shape("anthropic-key", "sk-ant-", /sk-ant-[A-Za-z0-9_-]{20,300}/y),
  { ...shape("openai-key", "sk-", /sk-[A-Za-z0-9_-]{20,300}/y), fits: isRandomKey },
  shape("google-key", "AIza", /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y),
  shape("google-secret", "GOCSPX-", /GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/y),
  shape("google-token", "ya29.", /ya29\.[A-Za-z0-9_-]{30,2000}/y),
  shape("npm-token", "npm_", /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y),
  shape("pypi-token", "pypi-AgE", /pypi-AgE[A-Za-z0-9_-]{40,1000}/y),
  shape("sendgrid-key", "SG.", /SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}/y),
  shape("twilio-key", "SK", /SK[0-9a-f]{32}(?![A-Za-z0-9])/y),
  shape("aws-key-id", "AKIA ASIA", /A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/y),
  shape("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz", /\w{12}[A-Za-z0-9+/=]{80,4000}/y),
  shape("azure-key", "AccountKey=", /AccountKey=([A-Za-z0-9+/]{86}==)/y),
  shape("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", /do[opr]_v1_[a-f0-9]{64}(?![A-Za-z0-9])/y),
  { ...shape("hugging-face-token", "hf_", /hf_[A-Za-z0-9]{34,64}/y), fits: isMixedCase },
  { ...shape("vault-token", "hvs. hvb. hvr.", /hv[sbr]\.[A-Za-z0-9_-]{24,1000}/y), fits: hasDigit },
  shape("groq-key", "gsk_", /gsk_[A-Za-z0-9]{52}(?![A-Za-z0-9])/y),
  shape("age-key", "AGE-SECRET-KEY-1", /AGE-SECRET-KEY-1[A-Z0-9]{58}(?![A-Za-z0-9])/y),
  shape("jwt", "eyJ", /eyJ[\w-]{10,1000}\.eyJ[\w-]{10,8000}\.[\w-]{10,2000}/y),
];

/** The most characters that a token has; what goes on behind them goes with it. */
export const maxTokenLength = 12_000;

/** Whether somebody wrote it to show where a token goes: `ghp_xxxxxxxx`. */
export function isStandIn(token: string): boolean {
  return /([xX0*.])\1{15}/u.test(token);
}

function shape(name: string, begins: string, pattern: RegExp): SecretShape {
  return { name, begins: begins.split(" "), pattern };
}

function isRandomKey(token: string): boolean {
  return isRandom(token.slice(3));
}

function hasDigit(text: string): boolean {
  return /\d/u.test(text.slice(4));
}

function isMixedCase(text: string): boolean {
  return /[A-Z]/u.test(text) && /[a-z].*[a-z]/u.test(text.slice(3));
}
