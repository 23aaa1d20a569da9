import { describe, expect, it } from "vitest";
import { makeCommandCall } from "../../test-support/watchdog-call.ts";
import { CallFacts } from "../reading/call-facts.ts";
import type { WatchdogVerdict } from "../watchdog.ts";
import { destructiveService } from "./destructive-service.ts";

const judge = (line: string): WatchdogVerdict | undefined =>
  destructiveService(new CallFacts(makeCommandCall(line)));

describe("the rule on services", () => {
  it.each([
    "dropdb prod",
    'psql -c "DROP DATABASE prod"',
    'psql -c "delete from users;"',
    'mysql -e "TRUNCATE TABLE users"',
    "redis-cli FLUSHALL",
    "docker system prune -a",
    "docker volume rm data",
    "docker compose down -v",
    "kubectl delete ns prod",
    "kubectl delete pods --all",
    "helm uninstall x",
    "terraform destroy",
    "terraform apply -destroy",
    "aws s3 rm s3://b --recursive",
    "aws ec2 terminate-instances --x",
    "gcloud projects delete x",
    "gh repo delete o/r",
    "npm unpublish x",
    "crontab -r",
  ])("asks about %s", (line) => {
    expect(judge(line)).toEqual({ action: "ask", reason: expect.any(String) });
  });

  it.each([
    'psql -c "select 1"',
    'psql -c "delete from users where id = 5"',
    "redis-cli get x",
    "docker system df",
    "docker compose down",
    "docker image prune",
    "kubectl delete pod x",
    "kubectl get ns",
    "terraform plan",
    "aws s3 ls",
    "npm publish",
    "crontab -l",
    "echo DROP DATABASE prod",
  ])("has nothing to say about %s", (line) => {
    expect(judge(line)).toBeUndefined();
  });
});
