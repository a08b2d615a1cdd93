/**
 * Webhooks that an API server calls while their certificates and authorities rotate, and configurations
 * that are kept.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:tls";
import { type Clock, systemClock } from "../../../lib/apimachinery/base/mod.ts";
import {
  ConfigMap,
  CustomResourceDefinition,
  MutatingWebhookConfiguration,
  Namespace,
  Pod,
  type ResourceType,
  resourceType,
  Secret,
  type UnstructuredObject,
  ValidatingWebhookConfiguration,
} from "../../../lib/apimachinery/meta/mod.ts";
import type { V1Pod } from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import { CheckedCertificate } from "../../../lib/apimachinery/serving/mod.ts";
import { ApiError, type Client, createClient, isNotFound } from "../../../lib/client/mod.ts";
import { controllerFor, defineOperator } from "../../../lib/controller/mod.ts";
import { defineResource, s } from "../../../lib/resource/mod.ts";
import { MetricsRegistry, operatorMetrics } from "../../../lib/manager/mod.ts";
import {
  keepConfigurations,
  keepConfigurationsUses,
  type OperatorWebhook,
  ownCertificates,
  ownCertificatesUses,
  type WebhookConfiguration,
  webhookConfigurationsOf,
  webhookFor,
  type WebhookServer,
  webhookServer,
  withConversionWebhook,
} from "../../../lib/webhook/mod.ts";
import { type OperatorRules, rulesOf } from "../../../lib/rbac/mod.ts";
import { until } from "../../support/until.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();

/** A kind of two versions, whose objects a webhook server converts. */
const Plot = defineResource({
  group: "rotation.example.com",
  kind: "Plot",
  storedVersion: "v1",
  versions: {
    v1: { spec: s.object({ size: s.integer() }) },
    v2: {
      spec: s.object({ width: s.integer() }),
      convert: {
        toStored: ({ spec, metadata }) => ({ metadata, spec: { size: spec.width } }),
        fromStored: ({ spec, metadata }) => ({ metadata, spec: { width: spec.size } }),
      },
    },
  },
});

const DAY_MS = 86_400_000;
const NAMESPACE = "rotation";
const SECRET = { namespace: NAMESPACE, name: "webhook-certificate" };
const SECRET_KEY = `${NAMESPACE}/${SECRET.name}` as const;
const TARGETS = {
  mutating: ["rotation-mutating-webhook-configuration"],
  validating: ["rotation-validating-webhook-configuration"],
  crds: ["plots.rotation.example.com"],
};

/** The clock of the machine with a date that a test moves; timers run in real time. */
class MovedClock implements Clock {
  offsetMs = 0;

  now(): Date {
    return new Date(systemClock.now().getTime() + this.offsetMs);
  }

  monotonicMs(): number {
    return systemClock.monotonicMs();
  }

  after(delayMs: number, callback: () => void): ReturnType<Clock["after"]> {
    return systemClock.after(delayMs, callback);
  }
}

const own = { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": NAMESPACE } } };

const defaulting: OperatorWebhook = webhookFor(ConfigMap, own).defaulter(({ object }) => {
  (object.data ??= {}).defaulted = "yes";
});
const validating: OperatorWebhook = webhookFor(ConfigMap, own).validator({
  create: ({ object }) => {
    if (object.data?.defaulted !== "yes") throw new Error("the defaulter was not called");
  },
});

const converting = defineOperator({
  name: "rotation",
  controllers: [controllerFor(Plot).reconcile(() => {})],
});

/** Starts one replica of a webhook server, whose certificates are in a Secret that all replicas share. */
async function startReplica(
  client: Client,
  webhook: OperatorWebhook,
  { clock, registry }: { readonly clock: Clock; readonly registry: MetricsRegistry },
): Promise<WebhookServer> {
  const server = webhookServer({
    operators: [converting],
    webhooks: [webhook],
    certificate: ownCertificates({
      client,
      secret: SECRET,
      hosts: ["127.0.0.1", "localhost"],
      targets: TARGETS,
      caDays: 90,
      servingDays: 90,
      propagationMs: 2_000,
      syncMs: 1_000,
    }),
    certificateMetrics: operatorMetrics(registry).certificates,
    hostname: "127.0.0.1",
    port: 0,
    clock,
  });
  await server.setUp(new AbortController().signal);
  return server;
}

function configurationsOf(
  webhook: OperatorWebhook,
  server: WebhookServer,
): WebhookConfiguration[] {
  const url = `https://127.0.0.1:${server.port}`;
  return webhookConfigurationsOf({ name: "rotation", webhooks: [webhook] }, { url });
}

/** Returns the authorities that a configuration names, as PEM text. */
async function bundleOf(client: Client): Promise<string> {
  const { webhooks } = await client.get(ValidatingWebhookConfiguration, TARGETS.validating[0]!);
  return atob(webhooks?.[0]?.clientConfig.caBundle ?? "");
}

/**
 * Performs a TLS handshake as a client that trusts a bundle, and returns the certificate's
 * fingerprint.
 */
async function handshake({ port }: WebhookServer, ca: string): Promise<string> {
  const authorities = ca.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n/g) ?? [];
  const socket = connect({
    host: "127.0.0.1",
    port: port!,
    servername: "localhost",
    ca: authorities,
    checkServerIdentity: () => undefined,
  });
  try {
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}

function authoritiesIn(bundle: string): number {
  return bundle.split("BEGIN CERTIFICATE").length - 1;
}

/** Creates a kind of two versions that a server converts, and an object in the first one. */
async function createConverted(client: Client, { port }: WebhookServer): Promise<void> {
  const url = `https://127.0.0.1:${port}`;
  await client.create(CustomResourceDefinition, withConversionWebhook(Plot.crd, { url }));
  const object = { metadata: { name: "a", namespace: NAMESPACE }, spec: { size: 7 } };
  await until(() => client.create(Plot, object).then(() => true, () => false), "the kind");
  const read = (): Promise<unknown> => client.get(Plot.versions.v2, `${NAMESPACE}/a`);
  await until(() => read().then(() => true, () => false), "the converter");
}

/** Creates objects and makes handshakes, many at once, until it is stopped. */
class Load {
  created = 0;
  converted = 0;
  readonly failures: string[] = [];
  readonly shown: readonly Set<string>[];
  #isStopped = false;
  readonly #running: Promise<void>[];

  constructor(client: Client, servers: readonly WebhookServer[], creators: number) {
    this.shown = servers.map(() => new Set());
    this.#running = [
      ...Array.from({ length: creators }, () => this.#repeat(() => this.#create(client))),
      ...Array.from({ length: 4 }, () =>
        this.#repeat(async () => {
          const { spec } = await client.get(Plot.versions.v2, `${NAMESPACE}/a`);
          assert.equal(spec.width, 7);
          this.converted++;
        })),
      ...servers.map((server, at) =>
        this.#repeat(async () => {
          this.shown[at]!.add(await handshake(server, await bundleOf(client)));
        })
      ),
    ];
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running);
  }

  async #create(client: Client): Promise<void> {
    // Dry runs are reviewed as others are, and leave nothing behind.
    const object = { metadata: { generateName: "load-", namespace: NAMESPACE } };
    const made = await client.create(ConfigMap, object, { dryRun: true });
    assert.equal(made.data?.defaulted, "yes");
    this.created++;
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isStopped) {
      await work().catch((error: unknown) => this.failures.push(String(error)));
    }
  }
}

suite.test(
  "F50 certificate and authority rotate under load, in two replicas, and no review and no handshake fails",
  async (plane) => {
    using client = createClient(plane.config);
    await client.create(Namespace, { metadata: { name: NAMESPACE } });
    // Certificates of 90 days that were made 80 days ago are due; their successors are valid today too.
    const clock = new MovedClock();
    clock.offsetMs = -80 * DAY_MS;
    const registries = [new MetricsRegistry(), new MetricsRegistry()];
    await using first = await startReplica(client, defaulting, { clock, registry: registries[0]! });
    await using second = await startReplica(client, validating, {
      clock,
      registry: registries[1]!,
    });
    const abort = new AbortController();
    const kept = keepConfigurations({
      client,
      configurations: [
        ...configurationsOf(defaulting, first),
        ...configurationsOf(validating, second),
      ],
    });
    const keeping = kept.run(abort.signal);
    await kept.ready;
    await until(async () => authoritiesIn(await bundleOf(client)) === 1, "the first bundle");
    await createConverted(client, first);
    const probe = { metadata: { generateName: "probe-", namespace: NAMESPACE } };
    await until(() =>
      client.create(ConfigMap, probe, { dryRun: true })
        .then(({ data }) => data?.defaulted === "yes", () => false), "the webhooks are called");

    const load = new Load(client, [first, second], 24);
    const untilFailed = (
      condition: () => boolean | Promise<boolean>,
      what: string,
    ): Promise<void> => until(async () => load.failures.length > 0 || await condition(), what);
    const rotated = async (authorities: number, certificates: number): Promise<void> => {
      await untilFailed(
        async () => authoritiesIn(await bundleOf(client)) === authorities,
        `${authorities} authorities`,
      );
      await untilFailed(
        () => load.shown.every(({ size }) => size >= certificates),
        `${certificates} certificates`,
      );
    };
    await rotated(1, 1);
    // The serving certificate and the authority are due together: two new certificates follow.
    clock.offsetMs = -15 * DAY_MS;
    await rotated(2, 2);
    await untilFailed(async () => {
      const { data } = await client.get(Secret, SECRET_KEY);
      return data?.["ca-next.key"] === undefined;
    }, "the new authority signs");
    const before = load.shown.map(({ size }) => size);
    // Without its Secret the server goes on with the certificate that it has, to a new authority.
    await client.delete(Secret, SECRET_KEY);
    await rotated(3, Math.max(...before) + 1);
    await load.stop();
    abort.abort();
    await keeping;

    assert.deepEqual(load.failures.slice(0, 3), []);
    assert(load.created > 200, `only ${load.created} reviews`);
    assert(load.converted > 20, `only ${load.converted} conversions`);
    for (const registry of registries) {
      assert.doesNotMatch(registry.text(), /^xca_certificate_rejected_total\{.*\} [1-9]/m);
      assert.match(
        registry.text(),
        /^xca_certificate_expiration_timestamp_seconds\{server="webhooks"\} \d+/m,
      );
    }
  },
  { realOnly: "it is about the TLS connections of kube-apiserver" },
);

/** Binds generated rules to a user. */
async function grant(client: Client, user: string, rules: OperatorRules): Promise<void> {
  const roles = [
    { kind: "ClusterRole", scope: {}, rules: rules.cluster },
    ...Object.entries(rules.namespaces).map(([namespace, each]) => ({
      kind: "Role",
      scope: { namespace },
      rules: each,
    })),
  ];
  for (const { kind, scope, rules } of roles) {
    const metadata = { name: user, ...scope };
    await client.create(rbacType(kind), { metadata, rules });
    await client.create(rbacType(`${kind}Binding`), {
      metadata,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: user },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }],
    });
  }
}

function rbacType(kind: string): ResourceType<UnstructuredObject> {
  return resourceType<UnstructuredObject>({
    group: "rbac.authorization.k8s.io",
    version: "v1",
    kind,
    plural: `${kind.toLowerCase()}s`,
    scope: kind.startsWith("Cluster") ? "Cluster" : "Namespaced",
  });
}

/** Reports whether a user may patch configurations, which the server learns a while after the role. */
async function injects(client: Client): Promise<boolean> {
  const name = "kept-mutating-webhook-configuration";
  return await client.get(MutatingWebhookConfiguration, name).then(() => true, isNotFound);
}

suite.test("webhook configurations: what others change, empty or delete is written again, and their own fields stay", async (plane) => {
  using client = createClient(plane.config);
  const namespace = "keeping";
  await client.create(Namespace, { metadata: { name: namespace } });
  const own = {
    secret: { namespace, name: "certificate" },
    targets: { mutating: ["kept-mutating-webhook-configuration"] },
  };
  const webhooks = [
    webhookFor(ConfigMap, { failurePolicy: "Ignore", timeoutSeconds: 1 })
      .defaulter(() => {}),
  ];
  // The program has the generated rights and no others.
  const uses = [
    ...ownCertificatesUses(own),
    ...keepConfigurationsUses({
      configurations: webhookConfigurationsOf({ name: "kept", webhooks }, { url: "https://a" }),
      removeAtEnd: true,
    }),
  ];
  const user = await plane.addUser("keeper");
  using keeper = createClient(user.config);
  const refused = ownCertificates({ ...own, client: keeper, hosts: ["a"] });
  const failing = new CheckedCertificate(refused, { server: "webhooks" });
  await assert.rejects(
    failing.load(new AbortController().signal),
    /User "keeper" cannot get resource "secrets"/,
  );
  await grant(client, "keeper", rulesOf({ name: "kept", controllers: [] }, { uses }));
  await until(() => keeper.get(Secret, `${namespace}/certificate`).then(() => true, isNotFound));
  await using server = webhookServer({
    webhooks,
    certificate: ownCertificates({ ...own, client: keeper, hosts: ["127.0.0.1"] }),
    hostname: "127.0.0.1",
    port: 0,
  });
  const signal = new AbortController().signal;
  await until(() => injects(keeper));
  await server.setUp(signal);
  const url = `https://127.0.0.1:${server.port}`;
  const configurations = webhookConfigurationsOf({ name: "kept", webhooks }, { url });
  const abort = new AbortController();
  const kept = keepConfigurations({ client: keeper, configurations, removeAtEnd: true });
  const keeping = kept.run(abort.signal);
  const name = "kept-mutating-webhook-configuration";
  const read = async (): Promise<
    { bundle: string; seconds: number | undefined; label: string | undefined }
  > => {
    const { metadata, webhooks } = await client.get(MutatingWebhookConfiguration, name);
    const { clientConfig, timeoutSeconds } = webhooks![0]!;
    return {
      bundle: clientConfig.caBundle ?? "",
      seconds: timeoutSeconds,
      label: metadata.labels?.team,
    };
  };
  await kept.ready;
  await until(async () => (await read()).bundle !== "", "the bundle");
  const { bundle } = await read();
  const change = async (clientConfig: Record<string, unknown>): Promise<void> => {
    const patch = {
      metadata: { labels: { team: "blue" } },
      webhooks: [{ name: webhooks[0]!.registrations[0]!.name, timeoutSeconds: 3, clientConfig }],
    };
    await client.patch(MutatingWebhookConfiguration, name, { type: "strategic", body: patch });
    await until(async () => {
      const found = await read();
      return found.bundle === bundle && found.seconds === 1;
    }, "the repair");
    assert.equal((await read()).label, "blue");
  };
  await change({ caBundle: null });
  await change({ caBundle: btoa("nobody's authority"), url: "https://127.0.0.1:1/other" })
    .catch((error) => {
      // Some releases refuse a bundle without certificates, which leaves nothing to repair.
      if (!(error instanceof ApiError)) throw error;
    });
  await client.delete(MutatingWebhookConfiguration, name);
  await until(
    async () => (await read().catch(() => undefined))?.bundle === bundle,
    "the new object",
  );
  abort.abort();
  await keeping;
  await assert.rejects(read(), /not found/);
});

suite.test("F51 a webhook whose server is down refuses pods elsewhere, and none in the namespace of its server", async (plane) => {
  using client = createClient(plane.config);
  const [home, other] = ["guard-system", "guarded"];
  for (const name of [home, other]) await client.create(Namespace, { metadata: { name } });
  const pod = (namespace: string): V1Pod => ({
    metadata: { generateName: "a-", namespace },
    spec: { containers: [{ name: "a", image: "x" }] },
  });
  const webhooks = [webhookFor(Pod, { timeoutSeconds: 1 }).validator({ create: () => {} })];
  const [configuration] = webhookConfigurationsOf(
    { name: "guard", webhooks },
    { service: { namespace: home, name: "webhooks" } },
  );
  await client.create(ValidatingWebhookConfiguration, configuration as never);
  const refusal = async (): Promise<string> => {
    try {
      await client.create(Pod, pod(other), { dryRun: true });
      return "";
    } catch (error) {
      return String(error);
    }
  };
  await until(async () => (await refusal()).includes("failed calling webhook"), "the webhook");
  await client.create(Pod, pod(home), { dryRun: true });
  await client.delete(ValidatingWebhookConfiguration, configuration!.metadata.name!);
});
