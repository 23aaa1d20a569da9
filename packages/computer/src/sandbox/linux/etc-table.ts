/**
 * What programs need to know of `/etc`, and nothing else: no passwords, no keys, no settings in
 * which people keep either.
 */
export const etcNames: RegExp = new RegExp(
  `^(?:${[
    // Where libraries are.
    String.raw`ld\.so\.cache|ld\.so\.conf|ld\.so\.conf\.d|ld-musl-[\w-]+\.path`,
    // Which system it is, and where in time.
    "os-release|lsb-release|debian_version|[a-z]+-release|localtime|timezone|locale.conf|locale.alias",
    // Whom to trust.
    "ssl|pki|ca-certificates|ca-certificates.conf|crypto-policies",
    // Names of numbers and kinds.
    "protocols|services|networks|ethertypes|rpc|mime.types|magic|magic.mime|host.conf|gai.conf",
    // Which of several programs is meant, and what they can't do without.
    String.raw`alternatives|shells|inputrc|terminfo|bash_completion\.d|manpath\.config|xattr\.conf`,
    String.raw`java|java-[\w-]+|python\d[\d.]*|perl|php|php\d*|R|lua|maven|gradle|fonts|glvnd|vulkan`,
    String.raw`ImageMagick-\d+|ghostscript|texmf|chromium|chromium\.d|gtk-\d\.0|xdg|xml|sgml|X11|gdb`,
  ].join("|")})$`,
  "u",
);

/** What is not taken over even from these, should somebody have made it readable. */
export const etcExceptions: RegExp = /^private$|\.key$/u;
