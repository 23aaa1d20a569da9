const baseNames: readonly string[] = [
  // Where libraries are.
  String.raw`ld\.so\.cache|ld\.so\.conf|ld\.so\.conf\.d|ld-musl-[\w-]+\.path`,
  // The system and its time zone.
  "os-release|lsb-release|debian_version|[a-z]+-release|localtime|timezone|locale.conf|locale.alias",
  // Trusted certificates.
  "ssl|pki|ca-certificates|ca-certificates.conf|crypto-policies",
  // Names of numbers and types.
  "protocols|services|networks|ethertypes|rpc|mime.types|magic|magic.mime|host.conf|gai.conf",
  // Which of several programs is the default.
  "alternatives",
];

/** What untrusted programs need of `/etc`: no settings of any program. */
export const bareEtcNames: RegExp = new RegExp(`^(?:${baseNames.join("|")})$`, "u");

/**
 * What programs need of `/etc`, and nothing else: no passwords, no keys, no settings in which people
 * keep either.
 */
export const etcNames: RegExp = new RegExp(
  `^(?:${[
    ...baseNames,
    // What programs can't do without.
    String.raw`shells|inputrc|terminfo|bash_completion\.d|manpath\.config|xattr\.conf`,
    String.raw`java|java-[\w-]+|python\d[\d.]*|perl|php|php\d*|R|lua|maven|gradle|fonts|glvnd|vulkan`,
    String.raw`ImageMagick-\d+|ghostscript|texmf|chromium|chromium\.d|gtk-\d\.0|xdg|xml|sgml|X11|gdb`,
  ].join("|")})$`,
  "u",
);

/** Never copied, even if readable. */
export const etcExceptions: RegExp = /^private$|\.key$/u;
