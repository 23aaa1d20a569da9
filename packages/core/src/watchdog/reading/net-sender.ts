import { operandsOf, valuesOf } from "./arguments-of.ts";
import type { SeenCommand } from "./seen-command.ts";

/** A command that can carry something to another machine. */
export interface NetSender {
  readonly program: string;
  /** It sends what it is given, and not only where it asks. */
  readonly carries: boolean;
  /** The files that it sends, as it names them. */
  readonly uploads: readonly string[];
  /** Whom it reaches is this machine alone. */
  readonly isLocal: boolean;
}

/** The commands of a line that could carry something out. */
export function findSenders(commands: readonly SeenCommand[], text: string): NetSender[] {
  const senders = commands.flatMap((command) => toSender(command) ?? []);
  if (text.includes("/dev/tcp/") || text.includes("/dev/udp/")) {
    senders.push({ program: "/dev/tcp", carries: true, uploads: [], isLocal: false });
  }
  return senders;
}

function toSender(command: SeenCommand): NetSender | undefined {
  const { program, args, under } = command;
  const talker = under.find((outer) => talkers.has(outer));
  if (talker !== undefined) return { program: talker, carries: true, uploads: [], isLocal: false };
  const reached = { program, isLocal: isLocal(args) };
  if (program === "curl") return { ...reached, ...readCurl(args) };
  if (program === "wget") return { ...reached, ...readWget(args) };
  if (copiers.has(program)) return readCopier(command);
  if (program === "git") return readGit(command);
  if (program === "openssl" && args[0] !== "s_client") return undefined;
  if (talkers.has(program)) return { ...reached, carries: true, uploads: [] };
  if (askers.has(program)) {
    return args.includes(undefined) ? { ...reached, carries: true, uploads: [] } : undefined;
  }
  if (interpreters.test(program) && codeOf(args).some((code) => netCode.test(code))) {
    return { ...reached, carries: true, uploads: [] };
  }
  return undefined;
}

/** The code that an interpreter is handed as an argument. */
export function codeOf(args: SeenCommand["args"]): string[] {
  return valuesOf(args, ["-c", "-e", "-E", "-p", "-r", "--eval", "--print"]).filter(
    (code) => code !== undefined,
  );
}

/** Programs that run code that they are handed. */
export const interpreters: RegExp =
  /^(?:python[\d.]*|node|nodejs|deno|bun|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|Rscript)$/u;

const talkers = new Set(
  "nc ncat netcat socat telnet ssh sftp ftp lftp tftp mail mailx sendmail mutt rclone http https xh websocat openssl".split(
    " ",
  ),
);
const copiers = new Set(["scp", "rsync"]);

// They ask for names, and the name they ask for can carry anything.
const askers = new Set(["dig", "nslookup", "host", "drill", "ping", "ping6"]);

const netCode =
  /urllib|requests\.|http\.client|httpx|aiohttp|socket|fetch\(|XMLHttpRequest|axios|https?\.(?:request|get)|net\.(?:connect|createConnection)|Net::HTTP|LWP::|IO::Socket|open-uri|file_get_contents\(['"]http|curl_init/u;

type Carried = Pick<NetSender, "carries" | "uploads">;

function readCurl(args: SeenCommand["args"]): Carried {
  const data = valuesOf(args, [
    "-d",
    "--data",
    "--data-binary",
    "--data-ascii",
    "--data-urlencode",
    "--json",
    "--url-query",
  ]);
  const forms = valuesOf(args, ["-F", "--form"]);
  const files = valuesOf(args, ["-T", "--upload-file"]);
  const named = [
    ...data.flatMap((value) => fileIn(value, /^[^@=]*@(.+)$/u)),
    ...forms.flatMap((value) => fileIn(value, /=[@<]([^;]+)/u)),
    ...files,
  ];
  return { carries: named.length > 0 || args.includes(undefined), uploads: filesAmong(named) };
}

function readWget(args: SeenCommand["args"]): Carried {
  const named = valuesOf(args, ["--post-file", "--body-file"]);
  return { carries: named.length > 0 || args.includes(undefined), uploads: filesAmong(named) };
}

function fileIn(value: string | undefined, pattern: RegExp): string[] {
  const file = pattern.exec(value ?? "")?.[1];
  return file === undefined ? [] : [file];
}

// `-` is what comes in, from wherever.
function filesAmong(named: readonly (string | undefined)[]): string[] {
  return named.filter((file) => file !== undefined).filter((file) => file !== "-");
}

/** `scp` and `rsync` send if what comes last is elsewhere. */
function readCopier({ program, args }: SeenCommand): NetSender | undefined {
  const operands = operandsOf(args);
  const target = operands.at(-1);
  if (target === undefined ? program === "rsync" : !isRemote(target)) return undefined;
  const sources = operands.slice(0, -1);
  const uploads = filesAmong(sources).filter((operand) => !isRemote(operand));
  const carries = uploads.length > 0 || sources.includes(undefined);
  return { program, carries, uploads, isLocal: isLocal(args) };
}

/** Git sends where it is told to, by an address instead of a name that somebody gave before. */
function readGit({ program, plainArgs }: SeenCommand): NetSender | undefined {
  const [action, ...rest] = plainArgs;
  if (action !== "push") return undefined;
  const [remote] = operandsOf(rest);
  const isAddress = remote !== undefined && (remote.includes("://") || isRemote(remote));
  if (!isAddress) return undefined;
  return { program, carries: true, uploads: [], isLocal: isLocal(rest) };
}

function isRemote(operand: string): boolean {
  return (
    /^(?:[\w.-]+@)?[\w.-]+:(?!\\)/u.test(operand) || /^(?:rsync|ssh|sftp|scp):\/\//u.test(operand)
  );
}

const localHost =
  /^(?:https?:\/\/)?(?:[^/@]*@)?(?:localhost|127(?:\.\d+){3}|\[::1\]|::1|0\.0\.0\.0|[\w-]+\.localhost)(?::\d+)?(?:[/?#]|$)/iu;

function isLocal(args: SeenCommand["args"]): boolean {
  const hosts = args.filter(
    (arg) => arg !== undefined && (localHost.test(arg) || /^[a-z]+:\/\//iu.test(arg)),
  );
  return (
    hosts.length > 0 && !args.includes(undefined) && hosts.every((arg) => localHost.test(arg ?? ""))
  );
}
