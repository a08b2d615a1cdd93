/** Projects as a new user meets them: made in an empty folder, with an empty home, by the launcher. */
import assert from "node:assert/strict";
import { filesBelow, newcomer, type Outcome, succeeds } from "../support/command_line/newcomer.ts";
import { until } from "../support/until.ts";

Deno.test("a new project with a further kind and webhooks passes its own tests, types, lint and format at once", async () => {
  await using user = await newcomer();
  const made = await succeeds(
    user.call(".", "kubectl-xca", "init", "shop", "--domain=example.com", "--kind=Order"),
  );
  assert.match(made.stdout, /\+ operator\.ts\n/);
  assert.match(made.stdout, /Made shop, with the kind Order of example\.com\/v1alpha1\.\n/);
  assert.match(made.stdout, /Next: cd shop && deno task test\n$/);
  const api = ["create", "api", "--kind=VPCPeer", "--group=net", "--plural=vpcpeers"];
  await succeeds(user.call("shop/controllers", "kubectl-xca", ...api));
  const webhook = ["create", "webhook", "--kind=VPCPeer", "--defaulting", "--validation"];
  const added = await succeeds(user.call("shop", "kubectl-xca", ...webhook));
  assert.match(added.stdout, /\+ {3}vpcpeer\.ts\n\+ {3}vpcpeer_test\.ts\n~ operator\.ts\nNext: /);

  const before = await filesBelow(`${user.path}/shop`);
  const again = await succeeds(user.call("shop", "kubectl-xca", ...webhook));
  assert.match(again.stdout, /^Nothing to do: the project has all of it\.\n/);
  assert.deepEqual(await filesBelow(`${user.path}/shop`), before);

  const checks = await succeeds(user.call("shop", "deno", "task", "check"));
  const tests = await succeeds(user.call("shop", "deno", "task", "test", "--no-check"));
  assert.match(tests.stdout, /ok \| 4 passed \| 0 failed/);
  assert.match(checks.stderr, /Checked \d+ files/);
  assert.deepEqual(await filesBelow(`${user.path}/home`), []);
});

Deno.test("init and create say in one line what is wrong, with exit code 2, and write nothing", async () => {
  await using user = await newcomer();
  await Deno.mkdir(`${user.path}/mine`);
  await Deno.writeTextFile(`${user.path}/mine/deno.json`, "{}");
  await Deno.writeTextFile(`${user.path}/file`, "");
  await Deno.writeTextFile(`${user.path}/exits.ts`, "Deno.exit(0);\n");
  const rows: [string[], RegExp][] = [
    [
      ["init", "mine"],
      /^error: deno\.json exists already in .*mine and differs; nothing was written; /,
    ],
    [["init", "new", "--name=Shop"], /^error: --name "Shop" must be at most 40 lower-case letters/],
    [["init", "new", "--kind=order"], /^error: kind "order" must begin with a capital/],
    [["init", ""], /^error: the folder of the project is empty: /],
    [
      ["init", "new", "--group=apps.k8s.io"],
      /^error: group "apps\.k8s\.io" is one of Kubernetes' own/,
    ],
    [
      ["init", "new", "--domain=kubernetes.io"],
      /^error: group "kubernetes\.io" is one of Kubernetes'/,
    ],
    [["manifests", "exits.ts"], /^error: cannot load module exits\.ts: it ends the process while/],
    [["init", "file/shop"], /^error: cannot write the project .*file.*: a part of it is a file/],
    [["init", "new", "--library=mine"], /^error: --library "mine" is no clone of @xca\/operator/],
    [
      ["create", "api", "--kind=Order"],
      /^error: .* is not in a project: no xca\.json there or above; /,
    ],
    [["create", "webhook", "--kind=Order"], /^error: .* is not in a project: /],
    [["dev"], /^error: .* is not in a project: /],
    [["dev", "--seed=x.yaml"], /^error: --seed is for a server of our own: add --embedded/],
    [["dev", "--webhook-host=a:b/c"], /^error: --webhook-host must be the name or address/],
  ];
  const before = await filesBelow(user.path);
  await Promise.all(rows.map(async ([words, message]) => {
    const { code, stderr } = await user.call(".", "kubectl-xca", ...words);
    assert.match(stderr, message);
    assert(stderr.split("\n").length <= 3, stderr); // The line, and where to find the usage.
    assert.equal(code, 2, stderr);
  }));
  assert.deepEqual(await filesBelow(user.path), before);
});

Deno.test("what a module prints while it is loaded is no part of its manifests, and an edit keeps a link", async () => {
  await using user = await newcomer();
  const made = await user.call(".", "kubectl-xca", "init", "--", "-shop");
  assert.match(made.stdout, /Next: cd \.\/-shop && /);
  const folder = `${user.path}/-shop`;
  await Deno.rename(`${folder}/operator.ts`, `${folder}/real.ts`);
  await Deno.symlink("real.ts", `${folder}/operator.ts`);
  const added = await user.call("-shop", "kubectl-xca", "create", "api", "--kind=Order");
  assert.equal(added.code, 0, added.stderr);
  assert((await Deno.lstat(`${folder}/operator.ts`)).isSymlink);
  const text = await Deno.readTextFile(`${folder}/real.ts`);
  assert.match(text, /orderController/);
  await Deno.writeTextFile(`${folder}/real.ts`, `console.log("printed: here");\n${text}`);
  const { stdout, stderr } = await user.call("-shop", "kubectl-xca", "manifests");
  assert.match(stdout, /^# Generated by/);
  assert.doesNotMatch(stdout, /printed/);
  assert.match(stderr, /printed: here/);
});

Deno.test("dev runs the operator again at each save, keeps the cluster, survives a broken save, and leaves nothing behind", async () => {
  await using user = await newcomer();
  await succeeds(user.call(".", "kubectl-xca", "init", "shop"));
  await succeeds(
    user.call("shop", "kubectl-xca", "create", "webhook", "--kind=Shop", "--validation"),
  );
  const kubeconfig = `${user.path}/kubeconfig`;
  const dev = user.start("shop", "dev", "--embedded", `--write-kubeconfig=${kubeconfig}`);
  let log = "";
  const reading = (async () => {
    for await (const text of dev.stderr.pipeThrough(new TextDecoderStream())) log += text;
  })();
  const output = dev.stdout.cancel();
  const says = (text: RegExp): Promise<void> => until(() => text.test(log), () => log);
  const kind = `${user.path}/shop/api/v1alpha1/shop.ts`;
  const source = await Deno.readTextFile(kind);
  try {
    await says(/^\d\d:\d\d:\d\d started$/m);
    const kubectl = (...words: string[]): Promise<Outcome> =>
      user.call(
        ".",
        "kubectl",
        "--kubeconfig",
        kubeconfig,
        `--cache-dir=${user.path}/kube`,
        ...words,
      );
    const object = (name: string, message: string): string =>
      JSON.stringify({
        apiVersion: "example.org/v1alpha1",
        kind: "Shop",
        metadata: { name, namespace: "default" },
        spec: { message },
      });
    await Deno.writeTextFile(`${user.path}/first.json`, object("first", "hello"));
    await Deno.writeTextFile(`${user.path}/second.json`, object("second", ""));
    await succeeds(kubectl("create", "-f", "first.json"));
    const refused = await kubectl("create", "-f", "second.json");
    assert.match(refused.stderr, /spec\.message: Required value/);

    await Deno.writeTextFile(kind, source.replace("maxLength: 1000", "maxLength: 10"));
    await says(
      /shops\.example\.org: BREAKING: v1alpha1 \.spec\.message: maxLength changes from 1000/,
    );
    await says(/api\/v1alpha1\/shop\.ts changed: restarted$/m);
    await Deno.writeTextFile(kind, `${source}\nx x`);
    await says(
      /shop\.ts changed: cannot load module .*the operator of the last good save continues$/m,
    );
    const kept = await succeeds(kubectl("get", "shop/first", "configmap/first-shop", "-o=name"));
    assert.equal(kept.stdout, "shop.example.org/first\nconfigmap/first-shop\n");
  } finally {
    dev.kill("SIGINT");
  }
  const { code } = await dev.status;
  await Promise.all([reading, output]);
  assert.equal(code, 130, log);
  assert.deepEqual(await filesBelow(`${user.path}/tmp`), []);
  assert.deepEqual(await filesBelow(`${user.path}/home`), []);
});
