import assert from "node:assert/strict";
import { testContext, type TestContextInit } from "../tests/support/command_line/cli_context.ts";
import { runCli } from "./app.ts";

const CRD = `
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
        required: [spec]
        properties:
          spec: { type: object, properties: { holder: { type: string } } }
`;
const NEXT = CRD.replace("- name: v1", "- name: v2");
const files = { "crd.yaml": CRD, "next.yaml": NEXT, "two.yaml": `${CRD}---${NEXT}` };

async function cli(line: string, init: TestContextInit = { files }) {
  const context = testContext(init);
  const code = await runCli(line.split(" "), context);
  return { code, stdout: context.stdout(), stderr: context.stderr() };
}

Deno.test("types prints a module of the definitions of a file or of standard input", async () => {
  const { code, stdout, stderr } = await cli("types crd.yaml");
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(
    stdout,
    /^const lockSpec = s\.object\(\{ holder: s\.optional\(s\.string\(\)\) \}\);$/m,
  );
  assert.match(stdout, /^export const lockDefinition: V1CustomResourceDefinition = \{$/m);
  assert.equal((await cli("types -", { input: CRD })).stdout, stdout);
});

Deno.test("types -o interfaces prints interfaces", async () => {
  const { code, stdout } = await cli("types crd.yaml -o interfaces");
  assert.equal(code, 0);
  assert.match(stdout, /^export interface Lock extends KubeObject \{$/m);
  assert.match(stdout, /^ {2}spec: LockSpec;$/m);
  assert.doesNotMatch(stdout, /\bs\.object/);
});

Deno.test("types says in one line what is wrong, and exits with 2", async () => {
  const cases: [string, RegExp][] = [
    ["types crd.yaml -o class", /unknown form "class": allowed are module, interfaces/],
    ["types crd.yaml --api-version v9", /locks.example.org has no version v9; it has v1/],
    [
      "types missing.yaml",
      /Cannot read missing.yaml: there is no such file or folder; give a file/,
    ],
    ["types", /missing required argument 'source'/],
  ];
  for (const [line, message] of cases) {
    const { code, stdout, stderr } = await cli(line);
    assert.deepEqual([code, stdout], [2, ""], line);
    assert.match(stderr, message, line);
    assert.match(stderr, /See 'kubectl xca types --help' for usage\.\n$/, line);
  }
});

Deno.test("crd plan lists the steps to another storage version, with the command of each", async () => {
  const { code, stdout, stderr } = await cli("crd plan crd.yaml next.yaml");
  assert.deepEqual([code, stderr], [0, ""]);
  const lines = stdout.split("\n");
  assert.equal(lines[0], "locks.example.org: objects are stored as v1, and move to v2");
  assert.equal(lines[1], "next  1. serve v2 beside v1");
  assert.equal(
    lines[3],
    "         kubectl xca crd plan crd.yaml next.yaml --print serve | kubectl apply -f -",
  );
  assert.deepEqual(lines.filter((line) => /^later/.test(line)), [
    "later 2. store objects as v2",
    "later 3. write every object once, so that it is stored as v2",
    "later 4. remove v1 from status.storedVersions",
    "later 5. stop to serve v1",
    "later 6. remove v1",
  ]);
  assert.match(stdout, /^ {9}kubectl xca crd migrate locks\.example\.org$/m);
});

Deno.test("crd plan prints the definition of a step, which serves both versions", async () => {
  const { stdout } = await cli("crd plan crd.yaml next.yaml --print serve");
  const flags = stdout.match(/name: v\d|served: \w+|storage: \w+/g);
  assert.deepEqual(flags, [
    "name: v2",
    "served: true",
    "storage: false",
    "name: v1",
    "served: true",
    "storage: true",
  ]);
});

Deno.test("crd plan has no steps where the storage version stays", async () => {
  const { code, stdout } = await cli("crd plan crd.yaml crd.yaml");
  assert.equal(code, 0);
  assert.equal(
    stdout,
    "locks.example.org: objects are stored as v1; the new definition can be installed: " +
      "kubectl apply -f crd.yaml\n",
  );
});

Deno.test("crd plan and crd migrate say in one line what is wrong, and exit with 2", async () => {
  const cases: [string, RegExp][] = [
    ["crd plan crd.yaml next.yaml --print prune", /"prune" is not a step that installs/],
    ["crd plan crd.yaml crd.yaml --print serve", /the plan of locks.example.org has no step serve/],
    ["crd plan - -", /only one of OLD and NEW/],
    ["crd migrate locks", /"locks" cannot be the name of a definition/],
    ["crd migrate", /missing required argument 'name'/],
  ];
  for (const [line, message] of cases) {
    const { code, stdout, stderr } = await cli(line);
    assert.deepEqual([code, stdout], [2, ""], line);
    assert.match(stderr, message, line);
  }
});
