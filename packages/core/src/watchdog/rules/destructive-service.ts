import { hasOption } from "../reading/arguments-of.ts";
import type { SeenCommand } from "../reading/seen-command.ts";
import { ask, strictest, type WatchdogRule } from "../watchdog-rule.ts";

/** Taking away databases, clusters, images and what else other people may rely on. */
export const destructiveService: WatchdogRule = ({ lines }) =>
  strictest(
    lines
      .flatMap(({ commands }) => commands)
      .map((command) => {
        const what = findLoss(command);
        return what === undefined ? undefined : ask(`${what} can't be taken back`);
      }),
  );

function findLoss(command: SeenCommand): string | undefined {
  const { program, plainArgs, args } = command;
  const loss = losses.find(
    ({ program: own, begins, needs }) =>
      own.test(program) &&
      begins.every((part, index) => part.test(plainArgs[index] ?? "")) &&
      (needs.length === 0 || needs.some((option) => hasArgument(command, option))),
  );
  if (loss !== undefined) return [program, ...plainArgs.slice(0, loss.begins.length)].join(" ");
  if (!databases.test(program)) return undefined;
  return args.map((arg) => lossInQuery.exec(arg ?? "")?.[0]).find(Boolean);
}

function hasArgument({ args }: SeenCommand, option: string): boolean {
  return /^-\w$/u.test(option) ? hasOption(args, option.slice(1)) : args.includes(option);
}

interface Loss {
  readonly program: RegExp;
  /** The words that follow it. */
  readonly begins: readonly RegExp[];
  /** One of these must be there too. */
  readonly needs: readonly string[];
}

/** What can't be taken back: the first words, each a pattern, and options of which one is needed. */
const losses: readonly Loss[] = [
  loss("dropdb|dropuser"),
  loss(
    "docker|podman system|volume|image|container|network|builder prune",
    "-a --all --volumes -f --force",
  ),
  loss("docker|podman volume rm|remove"),
  loss("docker|podman compose down", "-v --volumes"),
  loss("docker-compose|podman-compose down", "-v --volumes"),
  loss("kubectl|oc delete ns|namespaces?|projects?|pvc|pv|nodes?|crds?"),
  loss("kubectl|oc delete", "--all -A --all-namespaces"),
  loss("helm uninstall|delete"),
  loss("terraform|tofu|terragrunt|pulumi|cdk destroy"),
  loss("terraform|tofu|terragrunt apply", "-destroy --destroy"),
  loss("terraform|tofu state rm"),
  loss("aws s3 rb"),
  loss("aws s3 rm", "--recursive"),
  loss("aws [a-z0-9-]+ (?:delete|terminate)-[a-z-]+"),
  loss("gsutil rm|rb", "-r -R"),
  loss("gcloud [a-z-]+ delete"),
  loss("gcloud [a-z-]+ [a-z-]+ delete"),
  loss("az [a-z-]+ delete"),
  loss("gh repo|release|secret delete"),
  loss("npm|pnpm|yarn unpublish"),
  loss("heroku (?:apps|pg|addons):(?:destroy|reset)"),
  loss("crontab", "-r"),
  loss("redis-cli (?:FLUSHALL|FLUSHDB|flushall|flushdb)"),
  loss("userdel|deluser|groupdel"),
];

function loss(begins: string, needs = ""): Loss {
  const [program = "", ...rest] = begins.split(" ");
  const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, "u");
  return {
    program: whole(program),
    begins: rest.map(whole),
    needs: needs === "" ? [] : needs.split(" "),
  };
}

const databases =
  /^(?:psql|mysql|mariadb|sqlite3|mongosh?|clickhouse-client|cockroach|sqlcmd|redis-cli|duckdb)$/u;
const lossInQuery =
  /\bDROP\s+(?:DATABASE|SCHEMA|TABLE|USER|ROLE)\b|\bTRUNCATE\s+(?:TABLE\s+)?\w|\bDELETE\s+FROM\s+[\w."`]+\s*(?:;|$)|dropDatabase\(|\bFLUSH(?:ALL|DB)\b/iu;
