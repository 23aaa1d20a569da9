import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ToolError } from "@haft/contract";

const run = promisify(execFile);

/** What the attributes of files on a layer tell. */
export interface LayerMarks {
  /** Directories that hide what the workspace has in the same directory. */
  readonly opaque: ReadonlySet<string>;
  /** Files whose own extended attributes differ from those in the workspace. */
  readonly attributed: ReadonlySet<string>;
  /** Directories that their owner could not use, with their permissions. They are open now. */
  readonly closed: ReadonlyMap<string, number>;
}

/** The marks of a layer that nothing was written to. */
export const unmarked: LayerMarks = {
  opaque: new Set(),
  attributed: new Set(),
  closed: new Map(),
};

/**
 * Finds what is marked on a layer, and removes the attributes by which the kernel knows it and files
 * that it copied. Nothing may be mounted on the directory any more.
 */
export async function takeOverlayAttributes(
  { path, upper }: { readonly path: string; readonly upper: string },
  perl: string,
): Promise<LayerMarks> {
  const { stdout } = await run(perl, ["-e", script, "--", process.arch, upper, path], {
    encoding: "buffer",
    maxBuffer: 256 * 1024 * 1024,
    env: {},
  }).catch(({ stderr }: { readonly stderr?: Buffer }) => {
    const why = stderr?.toString("utf8").trim() || "Perl could not be run";
    throw new ToolError("failed", `The changes of the command can't be applied: ${why}.`);
  });
  const told = stdout.toString("utf8").split("\0").slice(0, -1);
  const of = (mark: string): ReadonlySet<string> =>
    new Set(told.filter((line) => line.startsWith(mark)).map((line) => line.slice(1)));
  const closed = [...of("c")].map((line): [string, number] => {
    const [mode = "", ...path] = line.split(" ");
    return [path.join(" "), Number(mode)];
  });
  return { opaque: of("o"), attributed: of("a"), closed: new Map(closed) };
}

// Perl, because Node can't read attributes. It uses no module: loading one takes longer than the rest.
const script = String.raw`
use strict;

my %calls = (
  x64   => { get => 192, list => 195, remove => 198 },
  arm64 => { get => 9, list => 12, remove => 15 },
);
my $machine = shift @ARGV;
my $call = $calls{$machine} or die "processors of the kind $machine are not known\n";
my @names = map { "user.overlay.$_\0" } "opaque", "origin", "impure", "redirect", "metacopy", "nlink", "uuid", "protattr";

my ($upper, $lower) = @ARGV;
my @directories = ($upper);
while (defined(my $directory = pop @directories)) {
  my $path = "$directory\0";
  my $mode = (lstat $directory)[2] & 07777;
  if ($> && ($mode & 0700) != 0700) {
    chmod $mode | 0700, $directory or die "$directory: $!\n";
    print "c$mode $path";
  }
  my $value = "\0" x 8;
  my $length = syscall($call->{get}, $path, $names[0], $value, 8);
  print "o$path" if $length > 0 && substr($value, 0, 1) eq "y";
  clean($path);
  opendir my $entries, $directory or die "$directory: $!\n";
  while (defined(my $name = readdir $entries)) {
    next if $name eq "." || $name eq "..";
    my $entry = "$directory/$name";
    next unless lstat $entry;
    if (-d _) { push @directories, $entry }
    elsif (-f _) {
      # Only the kernel's copies of files of the workspace have a mark of it.
      next unless clean("$entry\0");
      my $original = $lower . substr($entry, length $upper);
      next unless lstat $original and -f _;
      print "a$entry\0" if attributes("$entry\0") ne attributes("$original\0");
    }
  }
}

# The names and values of a file's own attributes.
sub attributes {
  my ($path) = @_;
  my $list = "\0" x 65536;
  my $length = syscall($call->{list}, $path, $list, 65536);
  return "" if $length <= 0;
  return join "\0", map {
    my ($name, $value) = ("$_\0", "\0" x 65536);
    my $size = syscall($call->{get}, $path, $name, $value, 65536);
    $_, $size > 0 ? substr($value, 0, $size) : "";
  } sort grep { /^user\./ && !/^user\.overlay\./ } split /\0/, substr $list, 0, $length;
}

sub clean {
  my ($path) = @_;
  my $list = "\0" x 4096;
  # Most files have none, and removing one that is not there takes long on some file systems.
  my $length = syscall($call->{list}, $path, $list, 4096);
  return 0 if $length == 0;
  for my $name (@names) {
    next if $length > 0 && index(substr($list, 0, $length), $name) < 0;
    my $attribute = $name;
    syscall($call->{remove}, $path, $attribute);
  }
  return 1;
}
`;
