import assert from "node:assert/strict";
import { testContext, type TestContextInit } from "../tests/support/command_line/cli_context.ts";
import { runCli } from "./app.ts";

const OLD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: locks.example.org }
spec:
  group: example.org
  names: { kind: Lock, plural: locks }
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              holder: { type: string, maxLength: 10 }
              mode: { type: string, enum: [shared] }
`;
const NOW = OLD.replace("maxLength: 10", "maxLength: 5").replace("[shared]", "[shared, single]");
const files = { "old.yaml": OLD, "new.yaml": NOW };

async function cli(line: string, init: TestContextInit = { files }) {
  const context = testContext(init);
  const code = await runCli(line.split(" "), context);
  return { code, stdout: context.stdout(), stderr: context.stderr() };
}

Deno.test("crd diff prints each change with its effect, path, reason and an example", async () => {
  const { code, stdout, stderr } = await cli("crd diff old.yaml new.yaml");
  assert.deepEqual([code, stderr], [1, ""]);
  const lines = stdout.split("\n");
  assert.equal(
    lines[0],
    "breaking locks.example.org v1 .spec.holder: maxLength changes from 10 to 5 [bound-tightened]",
  );
  assert.match(lines[1]!, /can still be updated while .spec.holder stays as it is/);
  assert.match(lines[2]!, /for example \{"spec":\{.*"holder":"[^"]{6,10}"/);
  assert.match(lines[3]!, /^warning {2}locks.example.org v1 .spec.mode: "single" is allowed now/);
  assert.equal(lines[4], "1 breaking, 1 warning, 0 safe");
});

Deno.test("crd diff --format json prints the changes for programs", async () => {
  const { code, stdout } = await cli("crd diff old.yaml new.yaml --format json");
  const { level, changes } = JSON.parse(stdout);
  assert.equal(code, 1);
  assert.equal(level, "breaking");
  assert.deepEqual(Object.keys(changes[0]).sort(), [
    "crd",
    "level",
    "path",
    "ratchets",
    "reason",
    "rule",
    "version",
    "witness",
  ]);
});

Deno.test("crd diff exits with 0 when nothing breaks, with --strict only without warnings", async () => {
  const more = { files: { ...files, "more.yaml": OLD.replace("[shared]", "[shared, single]") } };
  assert.deepEqual(await cli("crd diff old.yaml old.yaml"), {
    code: 0,
    stdout: "no changes\n",
    stderr: "",
  });
  assert.equal((await cli("crd diff old.yaml more.yaml", more)).code, 0);
  assert.equal((await cli("crd diff --strict old.yaml more.yaml", more)).code, 1);
});

Deno.test("crd diff reads one of the definitions from standard input", async () => {
  assert.equal((await cli("crd diff - new.yaml", { files, input: OLD })).code, 1);
  const { code, stderr } = await cli("crd diff - -");
  assert.equal(code, 2);
  assert.match(stderr, /only one of OLD and NEW can be standard input/);
});

Deno.test("crd diff says in one line why a file is not a definition, and exits with 2", async () => {
  const cases: [string, string, RegExp][] = [
    ["syntax", "a: [", /^error: Cannot parse bad.yaml: yaml: /],
    [
      "another kind",
      "{apiVersion: v1, kind: Pod, metadata: {name: a}}",
      /bad.yaml has no Cust.*Pod/,
    ],
    ["an empty file", "", /bad.yaml has no CustomResourceDefinition: it is empty/],
    [
      "v1beta1",
      OLD.replace("k8s.io/v1", "k8s.io/v1beta1"),
      /only apiextensions.k8s.io\/v1 is served/,
    ],
    ["no schema", OLD.replace(/ {4}schema[^]*/, ""), /spec.versions\[0\].schema is missing/],
    [
      "a wrong shape",
      OLD.replace("maxLength: 10", "maxLength: x"),
      /holder\].maxLength has a value/,
    ],
    ["an unknown type", OLD.replace("type: string", "type: text"), /an API server refuses locks/],
    ["two storage versions", OLD.replace("storage: true", "storage: false"), /exactly one version/],
  ];
  for (const [what, text, message] of cases) {
    const files = { "old.yaml": OLD, "bad.yaml": text };
    const { code, stdout, stderr } = await cli("crd diff old.yaml bad.yaml", { files });
    assert.deepEqual([code, stdout], [2, ""], what);
    assert.match(stderr, message, what);
    assert.match(stderr, /See 'kubectl xca crd diff --help' for usage\.\n$/, what);
  }
  const { code, stderr } = await cli("crd diff missing.yaml new.yaml");
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^error: Cannot read missing.yaml: there is no such file or folder; give a file/,
  );
});

Deno.test("a command with subcommands prints its help, and names an unknown one's neighbour", async () => {
  const { code, stdout } = await cli("crd");
  assert.equal(code, 0);
  assert.match(stdout, /^Usage: kubectl xca crd \[command\] \[flags\]/);
  const wrong = await cli("crd dif");
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /unknown command 'dif'.*Did you mean diff\?/);
  assert.match((await cli("__complete crd d")).stdout, /^diff\t/);
});
