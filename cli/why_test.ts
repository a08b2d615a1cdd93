/** `kubectl xca why` as a process, beside operators whose state is one cause each. */
import assert from "node:assert/strict";
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  type KubeObject,
  Lease,
  Namespace,
  resourceType,
  Secret,
  ServiceAccount,
} from "@xca/apimachinery/meta";
import { type Client, createClient, loadConfig } from "../lib/client/mod.ts";
import {
  type ControllerDefinition,
  controllerFor,
  defineOperator,
  type OperatorHandle,
  type Predicate,
  runOperator,
  type RunOperatorOptions,
  terminal,
} from "../lib/controller/mod.ts";
import {
  type DebugElector,
  MetricsRegistry,
  metricsServer,
  operatorDebugSources,
} from "../lib/manager/mod.ts";
import { ItemExponentialLimiter } from "@xca/apimachinery/workqueue";
import { testContext } from "../tests/support/command_line/cli_context.ts";
import { until } from "../tests/support/until.ts";
import { findFreePort } from "../lib/testing/free_port.ts";
import { Xca } from "../lib/xca/mod.ts";
import { runCli } from "./app.ts";

const main = new URL("./main.ts", import.meta.url).pathname;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A cluster that processes reach by a kubeconfig, with operators that serve `/debug`. */
class Cluster implements AsyncDisposable {
  readonly client: Client;
  readonly kubeconfig: string;
  readonly #ends: (() => Promise<unknown>)[];

  private constructor(client: Client, kubeconfig: string, end: () => Promise<unknown>) {
    this.client = client;
    this.kubeconfig = kubeconfig;
    this.#ends = [end];
  }

  static async start(): Promise<Cluster> {
    const context = testContext();
    const done = runCli(["serve"], context);
    const printed = (): string => context.stdout() + context.stderr();
    await until(() => Promise.resolve(/KUBECONFIG=/.test(printed())), "the server listens");
    const [, kubeconfig] = /export KUBECONFIG=(\S+)/.exec(printed())!;
    const client = createClient(await loadConfig({ kubeconfig: kubeconfig! }));
    return new Cluster(client, kubeconfig!, () => {
      context.interrupt("SIGINT");
      return done;
    });
  }

  async put(type: typeof ConfigMap | typeof Secret | typeof ServiceAccount, name: string, {
    namespace = "default",
    ...metadata
  }: KubeObject["metadata"] = {}): Promise<void> {
    await this.client.create(type as typeof ConfigMap, {
      metadata: { ...metadata, namespace, name },
    });
  }

  /** Runs an operator with one controller, and returns the address of its `/debug`. */
  async operator(
    controller: ControllerDefinition,
    options: Partial<RunOperatorOptions> & { elector?: DebugElector } = {},
  ): Promise<{ url: string; handle: OperatorHandle }> {
    const { elector, ...run } = options;
    const operator = defineOperator({ name: controller.name, controllers: [controller] });
    const handle = runOperator(operator, {
      client: this.client,
      gracePeriodMs: 0,
      missingResources: "wait",
      ...run,
    });
    const server = metricsServer({
      bindAddress: "127.0.0.1:0",
      secure: false,
      registry: new MetricsRegistry(),
      client: this.client,
      debug: operatorDebugSources({ operators: () => [handle], elector }),
    });
    const abort = new AbortController();
    await server.setUp!(abort.signal);
    const serving = server.run(abort.signal);
    this.#ends.unshift(async () => {
      await handle.stop();
      abort.abort();
      await serving;
      await server[Symbol.asyncDispose]?.();
    });
    return { url: server.url!, handle };
  }

  /** Runs `kubectl xca why` as a process. */
  async why(...args: string[]): Promise<Outcome> {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", main, "why", ...args],
      env: { KUBECONFIG: this.kubeconfig, NO_COLOR: "1" },
    }).output();
    const text = new TextDecoder();
    return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.slice(0, -1)) await end();
    this.client[Symbol.dispose]();
    await this.#ends.at(-1)!();
  }
}

const notIgnored: Predicate = ({ object }) => object.labels.ignored !== "true";

/** A controller whose keys are in states that last. */
function mixed(): ControllerDefinition {
  return controllerFor(ConfigMap)
    .withPredicates(notIgnored)
    .options({
      workers: 8,
      timeoutMs: 20,
      abortGraceMs: 20,
      warnAfterMs: Infinity,
      rateLimiter: () => new ItemExponentialLimiter({ baseMs: 900_000 }),
    })
    .reconcile(({ name }) => {
      if (name === "fails") throw new Error("the backend answers 500.");
      if (name === "ends") throw terminal("spec.size must be positive");
      if (name === "stuck") return new Promise<void>(() => {});
      if (name === "loops") return { requeueAfterMs: 0 };
    });
}

Deno.test("why, as a process, tells apart what keeps an object from being reconciled", async () => {
  await using cluster = await Cluster.start();
  for (const name of ["fails", "ends", "stuck", "loops", "fine"]) {
    await cluster.put(ConfigMap, name);
  }
  await cluster.put(ConfigMap, "dropped", { labels: { ignored: "true" } });
  await cluster.client.create(Namespace, { metadata: { name: "other" } });
  await cluster.put(ConfigMap, "away", { namespace: "other" });
  const { url, handle } = await cluster.operator(mixed(), { namespace: "default" });
  await handle.ready;
  await until(() => {
    const [report] = handle.report({ key: "default/loops" }).controllers;
    return Promise.resolve(
      report!.key!.hotLoop !== undefined && handle.progress().stuck.length === 1 &&
        handle.progress().failing.length === 3,
    );
  }, "the states that last");
  const cases: [args: string[], code: number, answer: RegExp, next: RegExp][] = [
    [
      ["configmap/nothing"],
      1,
      /there is no ConfigMap default\/nothing\./,
      /kubectl get configmaps -A/,
    ],
    [
      ["sa/x"],
      1,
      /No controller of this operator is for sa; it has: ConfigMap\./,
      /configmap\/NAME/,
    ],
    [
      ["frob/x"],
      1,
      /No controller of this operator is for frob; it has: ConfigMap\./,
      /configmap\/NAME/,
    ],
    [
      ["cm/fine"],
      0,
      /^ConfigMap default\/fine was reconciled /,
      /log/,
    ],
    [
      ["ConfigMap/dropped"],
      1,
      /last event \(listed, .* ago\) was dropped by predicate notIgnored/,
      /-o yaml/,
    ],
    [["configmaps/away", "-n", "other"], 1, /watches only namespace default\./, /--namespace/],
    [
      ["configmap/fails"],
      1,
      /failed once, and the next try is in \d+ min: the backend answers 500\.\n/,
      /log/,
    ],
    [
      ["configmap/ends"],
      1,
      /terminal error and is not retried .*: spec\.size must be positive/,
      /log/,
    ],
    [
      ["configmap/stuck"],
      1,
      /run is stuck: it began .* ago and ignores its aborted signal/,
      /grep/,
    ],
    [
      ["configmap/loops"],
      1,
      /hot loop of \d+ runs .*requests the next one at once|is being reconciled|queued/,
      /./,
    ],
    [
      ["configmap/fine"],
      0,
      /^ConfigMap default\/fine was reconciled .* ago because default\/fine of configmaps\.v1 was listed, and there is nothing to do\./,
      /log/,
    ],
  ];
  for (const [args, code, answer, next] of cases) {
    const outcome = await cluster.why(...args, "--url", url);
    assert.equal(outcome.code, code, `${args}: ${outcome.stdout}${outcome.stderr}`);
    assert.match(outcome.stdout, answer, args.join(" "));
    const following = outcome.stdout.split("\n").find((line) => line.startsWith("Next: ")) ?? "";
    assert.match(following, next, args.join(" "));
    assert.equal(outcome.stderr, "", args.join(" "));
  }
});

Deno.test("why, as a process: queued, not selected, no leader, a kind that is missing, a cache behind", async () => {
  await using cluster = await Cluster.start();
  for (let at = 0; at < 5; at++) await cluster.put(Secret, `s${at}`);
  const queue = await cluster.operator(
    controllerFor(Secret).reconcile(({ signal }) =>
      new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => resolve(), { once: true })
      )
    ),
  );
  await cluster.put(ServiceAccount, "red", { labels: { team: "red" } });
  const blue = await cluster.operator(
    controllerFor(ServiceAccount, { labelSelector: "team=blue" }).reconcile(() => {}),
  );
  const elector = { lease: "operators/xca", leader: "xca-1_abc", isLeader: false };
  const idle = await cluster.operator(controllerFor(ConfigMap).reconcile(() => {}), { elector });
  const Widget = resourceType({
    group: "example.org",
    version: "v1",
    kind: "Widget",
    plural: "widgets",
  });
  const waits = await cluster.operator(
    controllerFor(ConfigMap).named("needs-widgets").watches(Widget, () => []).reconcile(() => {}),
  );
  await cluster.put(ConfigMap, "written");
  // The answer to the write names a version that the cache will not show.
  const update: Client["update"] = async (...args) => {
    const updated = await cluster.client.update(...args);
    return { ...updated, metadata: { ...updated.metadata, resourceVersion: "999999999" } };
  };
  const client = new Proxy(cluster.client, {
    get(target, name) {
      if (name === "update") return update;
      const member = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  let isWritten = false;
  const behind = await cluster.operator(
    controllerFor(ConfigMap).named("writer").options({ staleCacheTimeoutMs: 3_600_000 })
      .reconcile(async ({ name, key, cache, client }) => {
        const map = cache.get(ConfigMap, key);
        if (name !== "written" || !map || isWritten) return;
        isWritten = true;
        await client.update(ConfigMap, { ...map, data: { changed: "yes" } });
      }),
    { client },
  );
  for (const { handle } of [queue, blue, idle, behind]) await handle.ready;
  await until(
    () => Promise.resolve(behind.handle.report().controllers[0]!.counts.awaitingCache === 1),
    "the key waits for the cache",
  );
  await until(
    () => Promise.resolve(waits.handle.report().caches.some(({ watch }) => watch.failing)),
    "the missing kind is noticed",
  );
  const cases: [url: string, object: string, answer: RegExp, next: RegExp][] = [
    [
      queue.url,
      "secret/s4",
      /queued behind 3 keys of controller secret at priority -100; 1 of 1 workers are busy, with default\/s0/,
      /--workers 2/,
    ],
    [queue.url, "secret/s2", /queued behind 1 key of controller secret/, /--workers 2/],
    [queue.url, "secret/s0", /is being reconciled now, for .* \(attempt 1\)/, /grep/],
    [blue.url, "serviceaccount/red", /watches only objects that match team=blue/, /--show-labels/],
    [
      idle.url,
      "configmap/x",
      /does not lead: xca-1_abc holds the Lease operators\/xca/,
      /kubectl get lease xca -n operators/,
    ],
    [
      waits.url,
      "configmap/written",
      /waits for its cache of widgets\.v1\.example\.org, .*the server has no/,
      /kubectl get crd widgets\.example\.org/,
    ],
    [
      behind.url,
      "configmap/written",
      /paused until the cache shows .* of configmaps\.v1 default\/written/,
      /log/,
    ],
  ];
  for (const [url, object, answer, next] of cases) {
    const { code, stdout, stderr } = await cluster.why(object, "--url", url);
    assert.equal(code, 1, `${object}: ${stdout}${stderr}`);
    assert.match(stdout, answer);
    assert.match(stdout, next);
  }
});

Deno.test("why refuses what it cannot use with 2, and says with 3 that the operator does not answer", async () => {
  await using cluster = await Cluster.start();
  await using other = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("no such page", { status: 404 }),
  );
  const cases: [args: string[], code: number, message: RegExp][] = [
    [
      ["a/b", "--url", `http://127.0.0.1:${other.addr.port}`],
      1,
      /the operator at .* has no \/debug: start its metrics server with debug sources/,
    ],
    [["configmap/a"], 2, /nothing says where the operator is: give --lease NAME/],
    [
      ["configmap", "--url", "http://localhost:1"],
      2,
      /"configmap" names no object: give KIND\/NAME/,
    ],
    [["a/b/c", "--url", "http://localhost:1"], 2, /names no object/],
    [["a/b", "--url", "localhost:1"], 2, /--url must be the address of a server/],
    [
      ["a/b", "--url", "http://localhost:1", "--lease", "x"],
      2,
      /--url and --lease cannot go together/,
    ],
    [["a/b", "--lease", "x", "--port", "0"], 2, /--port must be a number from 1 to 65535/],
    [
      ["a/b", "--url", `http://127.0.0.1:${findFreePort()}`],
      3,
      /cannot reach the operator at http:\/\/127\.0\.0\.1:\d+: .*--metrics-bind-address/,
    ],
    [["a/b", "--lease", "x"], 1, /there is no Lease default\/x: the operator has never led/],
    [["a/b", "-l", "app=x"], 1, /no pod of namespace default with the labels app=x runs/],
  ];
  for (const [args, code, message] of cases) {
    const context = testContext({ env: { KUBECONFIG: cluster.kubeconfig } });
    assert.equal(await runCli(["why", ...args], context), code, `${args}: ${context.stderr()}`);
    assert.match(context.stderr(), message);
    assert(!/^\s+at /m.test(context.stderr()), context.stderr());
  }
});

Deno.test("why asks an operator that kubectl xca run serves over TLS, with a token that may read /debug", async () => {
  await using cluster = await Cluster.start();
  const { client } = cluster;
  const port = findFreePort();
  await cluster.put(ServiceAccount, "reader");
  await client.create(ClusterRole, {
    metadata: { name: "debug" },
    rules: [{ nonResourceURLs: ["/debug", "/debug/*"], verbs: ["get"] }],
  });
  await client.create(ClusterRoleBinding, {
    metadata: { name: "debug" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "debug" },
    subjects: [{ kind: "ServiceAccount", namespace: "default", name: "reader" }],
  });
  const operator = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", main, "run", "-A", "--install-crds", "--leader-elect"]
      .concat(`--metrics-bind-address=127.0.0.1:${port}`),
    env: { KUBECONFIG: cluster.kubeconfig, HOSTNAME: "xca-0" },
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const url = `--url=https://127.0.0.1:${port}`;
    let last: Outcome | undefined;
    await until(async () => {
      last = await cluster.why("xca/mars", url, "--service-account=reader");
      return /there is no Xca default\/mars/.test(last.stdout);
    }, () => JSON.stringify(last));
    await client.create(Xca, { metadata: { namespace: "default", name: "mars" } });
    await until(async () => {
      last = await cluster.why("xca.apps.xca.k8s.kb.cx/mars", url, "--service-account=reader");
      return last.code === 0;
    }, () => JSON.stringify(last));
    assert.match(last!.stdout, /^Xca default\/mars was reconciled .* and there is nothing to do\./);
    const refused = await cluster.why("xca/mars", url);
    assert.equal(refused.code, 1, refused.stdout);
    assert.match(
      refused.stderr,
      /error: the operator at .* (wants a token: give --service-account|does not let you)/,
    );
    assert.doesNotMatch(refused.stderr + last!.stderr, /INSECURE/);
    const lease = await client.get(Lease, "default/xca");
    assert.match(lease.spec!.holderIdentity!, /^xca-0_/);
    const none = await cluster.why("xca/mars", "--lease=xca");
    assert.equal(none.code, 1);
    assert.match(
      none.stderr,
      /the holder xca-0_.* of Lease default\/xca names no pod that runs there/,
    );
  } finally {
    operator.kill("SIGTERM");
    await operator.status;
  }
});
