import assert from "node:assert/strict";
import { Command } from "@commander-js/extra-typings";
import { spellArguments, switchesOf } from "./arguments.ts";

const switches = new Set(["-A", "--watch", "--secure", "--no-secure"]);

function spell(line: string): string {
  return spellArguments(line.split(" "), switches).join(" ");
}

Deno.test("spellArguments() accepts = after a short flag, like kubectl", () => {
  assert.equal(spell("status -n=a -v=2 -o=json"), "status -n a -v 2 -o json");
  assert.equal(spell("status -n a -nb --output=json"), "status -n a -nb --output=json");
  assert.equal(spell("-l=a=b"), "-l a=b");
});

Deno.test("spellArguments() accepts true and false for switches, like kubectl", () => {
  assert.equal(spell("status --watch=true -A=1"), "status --watch -A");
  assert.equal(spell("status --watch=false -A=F x"), "status x");
  assert.equal(spell("status --watch=perhaps"), "status --watch=perhaps");
  assert.equal(spell("run --secure=false --secure=true"), "run --no-secure --secure");
});

Deno.test("spellArguments() leaves arguments after -- unchanged", () => {
  assert.equal(spell("status -n=a -- -n=a --watch=true"), "status -n a -- -n=a --watch=true");
});

Deno.test("switchesOf() finds the flags without a value in the declarations of commands", () => {
  const inner = new Command("inner").option("-x, --extra", "").option("--no-wait", "");
  const outer = new Command("outer")
    .option("-A, --all", "")
    .option("-o, --output <format>", "")
    .option("--embedded [folder]", "");
  const found = switchesOf([outer, inner] as unknown as Command[]);
  assert.deepEqual([...found].sort(), ["--all", "--extra", "--no-wait", "-A", "-x"]);
});
