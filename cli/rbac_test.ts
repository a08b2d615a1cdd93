/** Tests of `kubectl xca rbac`, in process. */
import assert from "node:assert/strict";
import { loadAll } from "js-yaml";
import { testContext } from "../tests/support/command_line/cli_context.ts";
import { runCli } from "./app.ts";

const OPERATOR = `
import { ConfigMap, controllerFor, defineOperator, Secret } from "${new URL(
  "../mod.ts",
  import.meta.url,
)}";
export default defineOperator({
  name: "copier",
  controllers: [
    controllerFor(ConfigMap).uses(Secret, ["apply"]).uses(ConfigMap, ["patchStatus"])
      .reconcile(() => {}),
  ],
});`;

const RECORDING = JSON.stringify({
  observedAccess: 1,
  accesses: [
    ["", "list", "configmaps"],
    ["", "watch", "configmaps"],
    ["configmap", "patch", "secrets"],
    ["configmap", "delete", "secrets"],
  ].map(([controller, verb, resource]) => ({
    controller,
    verb,
    group: "",
    resource,
    namespace: "shop",
    request: `${verb!.toUpperCase()} /api/v1/namespaces/shop/${resource}`,
  })),
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `kubectl xca rbac` on the operator of these tests; `F/` is the folder of the files. */
async function rbac(
  line: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries({ "operator.ts": OPERATOR, ...files })) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const context = testContext();
    const args = `rbac F/operator.ts ${line}`.trim().replaceAll("F/", `${folder}/`).split(" ");
    const importModule = (specifier: string): Promise<unknown> => import(`file://${specifier}`);
    const code = await runCli(args, { ...context, importModule });
    const shown = (text: string): string => text.replaceAll(`${folder}/`, "F/");
    return { code, stdout: shown(context.stdout()), stderr: shown(context.stderr()) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the kinds and names of YAML documents. */
function names(text: string): string[] {
  return (loadAll(text) as { kind: string; metadata: { name: string; namespace?: string } }[])
    .map(({ kind, metadata: { namespace, name } }) =>
      `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`
    );
}

Deno.test("kubectl xca rbac prints the manifests of an operator as YAML", async () => {
  const { code, stdout, stderr } = await rbac("-n shop -n stock");
  assert.equal(code, 0, stderr);
  assert.deepEqual(names(stdout), [
    "ServiceAccount copier-system/copier",
    "Role shop/copier",
    "RoleBinding shop/copier",
    "Role stock/copier",
    "RoleBinding stock/copier",
    "Role copier-system/copier-leader-election",
    "RoleBinding copier-system/copier-leader-election",
    "ClusterRole copier-metrics-auth",
    "ClusterRoleBinding copier-metrics-auth",
    "ClusterRole copier-metrics-reader",
  ]);
  const least = await rbac("--no-metrics --no-leader-elect --name web --system-namespace ops");
  assert.deepEqual(names(least.stdout), [
    "ServiceAccount ops/web",
    "ClusterRole web",
    "ClusterRoleBinding web",
  ]);
});

Deno.test("kubectl xca rbac --check finds that its own manifests are what the operator needs", async () => {
  const { stdout } = await rbac("");
  const own = await rbac("--check --manifests F/rbac.yaml", { "rbac.yaml": stdout });
  assert.equal(own.code, 0, own.stdout);
  assert.equal(own.stdout, "");
});

Deno.test("kubectl xca rbac --check names each rule that the manifests lack, and each that is not needed", async () => {
  const { stdout } = await rbac("");
  const changed = stdout.replace("- configmaps\n", "- pods\n").replace("- patch\n", "- '*'\n");
  const { code, stdout: lines, stderr } = await rbac("--check --manifests F/rbac.yaml", {
    "rbac.yaml": changed,
  });
  assert.equal(code, 1);
  assert.match(stderr, /^error: RBAC: 2 lacking, 2 not needed\n/);
  assert.match(
    lines,
    /lack: controller configmap: it is for ConfigMap, which needs list configmaps/,
  );
  assert.match(lines, /excess: ClusterRole copier grants .*"pods"\].*, which no operator needs/);
  assert.match(lines, /excess: ClusterRole copier grants .*"\*".* with a \*/);
});

Deno.test("kubectl xca rbac --check compares the declarations with a recording", async () => {
  const files = { "access.json": RECORDING };
  const { code, stdout } = await rbac("--check --observed F/access.json", files);
  assert.equal(code, 1);
  assert.deepEqual(stdout.trim().split("\n").map((line) => line.slice(0, 78)), [
    "lack: controller configmap needs delete secrets in namespace shop, as DELETE /",
    "excess: controller configmap: it declares patchStatus of ConfigMap, and no req",
  ]);
});

Deno.test("kubectl xca rbac --check compares the declarations with an audit log, of one user if named", async () => {
  const event = (username: string, verb: string, resource: string): string =>
    JSON.stringify({
      stage: "ResponseComplete",
      verb,
      requestURI: `/api/v1/${resource}`,
      user: { username },
      objectRef: { resource },
    });
  const log = [
    event("operator", "watch", "configmaps"),
    event("operator", "patch", "secrets"),
    event("operator", "patch", "configmaps/status"),
    event("jane", "delete", "nodes"),
  ].join("\n");
  const files = { "audit.log": log };
  const all = await rbac("--check --observed F/audit.log", files);
  assert.match(
    all.stdout,
    /^lack: a request needs delete nodes, as delete \/api\/v1\/nodes showed/,
  );
  const own = await rbac("--check --observed F/audit.log --observed-user operator", files);
  assert.equal(own.code, 0, own.stdout);
});

Deno.test("kubectl xca rbac takes names from the project of the module, and refuses a folder without one", async () => {
  const project = JSON.stringify({
    name: "copier",
    domain: "example.org",
    namespace: "ops",
    image: "registry.example.org/copier:1",
    operator: "operator.ts",
    program: "main.ts",
  });
  const { stdout } = await rbac("--no-metrics --no-leader-elect", { "xca.json": project });
  assert.equal(names(stdout)[0], "ServiceAccount ops/copier");
  const context = testContext();
  const folder = await Deno.makeTempDir();
  try {
    assert.notEqual(await runCli(["rbac", folder], context), 0);
    assert.match(context.stderr(), /xca\.json/);
    assert.equal(context.stdout(), "");
  } finally {
    await Deno.remove(folder);
  }
});

Deno.test("kubectl xca rbac refuses impossible flags and files with one line", async () => {
  const cases: [string, RegExp][] = [
    ["--check", /--check needs something to compare with/],
    ["--manifests F/a", /--manifests is for a comparison: add --check/],
    ["--observed-user jane", /--observed-user is about an audit log/],
    ["--check --manifests F/none", /--manifests F\/none cannot be read: there is no such file/],
    ["--check --manifests F/operator.ts", /--manifests F\/operator.ts is not YAML/],
    ["--check --manifests F/list.yaml", /has no Role and no ClusterRole/],
    ["--check --manifests F/null.yaml", /Role "a" is no RBAC object: its rules, its roleRef or/],
    ["--check --manifests F/text.yaml", /ClusterRole "a" is no RBAC object/],
    ["--check --manifests F/bare.yaml", /Role undefined is no RBAC object/],
    ["--check --observed F/operator.ts", /is neither a recording .* nor an audit log/],
    ["--check --observed F/old.json", /its version is 0, and not 1/],
    ["-o text", /unknown output format "text"/],
    ["--name A_b", /"A_b" cannot be a name/],
    ["-n A_b", /namespace/],
    ["--certificates letsencrypt", /unknown issuer "letsencrypt": allowed are own, cert-manager/],
  ];
  const files = {
    "list.yaml": "kind: List\nitems: []",
    "old.json": '{"observedAccess":0}',
    "null.yaml": "{kind: Role, metadata: {name: a}, rules: [null]}",
    "text.yaml": "{kind: ClusterRole, metadata: {name: a}, rules: [{verbs: get}]}",
    "bare.yaml": "{kind: Role, rules: 5}",
  };
  for (const [line, message] of cases) {
    const { code, stderr } = await rbac(line, files);
    assert.equal(code, 2, line);
    assert.match(stderr, message, line);
    assert.equal(stderr.trim().split("\n").length, 2, stderr); // The line, and the pointer to help.
  }
});
