/**
 * Unknown options: each public function of controllers, managers, events, webhooks and RBAC refuses
 * them, since a program may be run without a type check.
 */
import assert from "node:assert/strict";
import { ConfigMap, Secret } from "@xca/apimachinery/meta";
import * as controller from "../lib/controller/mod.ts";
import { ONCE_OPTIONS, RUN_OPTIONS } from "../lib/controller/operator/run_checks.ts";
import { EventRecorder } from "../lib/events/mod.ts";
import * as manager from "../lib/manager/mod.ts";
import * as rbac from "../lib/rbac/mod.ts";
import { SETUP_OPTIONS } from "../lib/rbac/setup_options.ts";
import { createClient } from "../lib/client/mod.ts";
import * as webhook from "../lib/webhook/mod.ts";

const { controllerFor, defineOperator } = controller;
const definition = controllerFor(ConfigMap).reconcile(() => {});
const operator = defineOperator({ name: "namer", controllers: [definition] });
const guard = webhook.webhookFor(ConfigMap).validator({ create: () => {} });
const owner = { type: ConfigMap, object: { metadata: { name: "a", uid: "1" } } };
const secret = { metadata: { name: "a", namespace: "shop" } };
const served = { bindAddress: "0" };

using client = createClient({ server: "https://example.invalid" });
const created = (options: object): unknown => manager.createManager({ client, ...options });
const elector = { client, namespace: "a", name: "b", identity: "c" };
const context = {} as controller.ReconcileContext;

/** One call per function, with the options that it needs and those to test. */
const CALLS: Readonly<Record<string, (given: object) => unknown>> = {
  controllerFor: (given) => controllerFor(ConfigMap, given),
  owns: (given) => controllerFor(ConfigMap).owns(Secret, given),
  watches: (given) => controllerFor(ConfigMap).watches(Secret, () => [], given),
  options: (given) => controllerFor(ConfigMap).options(given),
  uses: (given) => controllerFor(ConfigMap).uses(Secret, ["get"], given),
  toOwner: (given) => controller.toOwner(ConfigMap, given),
  retryAfter: (given) => controller.retryAfter("later", { delayMs: 1, ...given }),
  checkResources: (given) => controller.checkResources(client, [], given),
  runOperator: (given) => controller.runOperator(operator, { client, ...given }),
  reconcileOnce: (given) => controller.reconcileOnce(definition, "a/b", { client, ...given }),
  applyChild: (given) =>
    controller.applyChild(context, Secret, secret, { owner, fieldManager: "a", ...given }),
  pruneChildren: (given) => {
    const keep = new Set<string>();
    const options = { owner, type: Secret, labelSelector: "a", keep, ...given };
    return controller.pruneChildren(context, options);
  },
  ChildSet: (given) => {
    const types = [Secret];
    return new controller.ChildSet({
      name: "a",
      parent: ConfigMap,
      types,
      desired: () => [],
      ...given,
    });
  },
  finalize: (given) => {
    const options = { finalizer: "a.b/c", cleanup: () => {}, ...given };
    return controller.finalize(context, Secret, secret, options);
  },
  createManager: created,
  "leaderElection of createManager": (given) => created({ leaderElection: given }),
  "coordinated of createManager": (given) =>
    created({ leaderElection: { coordinated: { binaryVersion: "1.0.0", ...given } } }),
  "caches of createManager": (given) => created({ caches: [{ type: Secret, ...given }] }),
  "metricsServer of createManager": (given) => created({ metricsServer: { ...served, ...given } }),
  "healthServer of createManager": (given) => created({ healthServer: { ...served, ...given } }),
  "add of a manager": (given) => manager.createManager({ client }).add(operator, given),
  "run of a manager": (given) => manager.createManager({ client }).run(given),
  runElectedOperator: (given) => manager.runElectedOperator(operator, { client, ...given }),
  LeaderElector: (given) => new manager.LeaderElector({ ...elector, ...given }),
  operatorDebugSources: (given) => manager.operatorDebugSources({ operators: () => [], ...given }),
  MetricsRegistry: (given) => new manager.MetricsRegistry(given),
  metricsServer: (given) => {
    const registry = new manager.MetricsRegistry();
    return manager.metricsServer({ ...served, client, registry, ...given });
  },
  healthServer: (given) => manager.healthServer({ ...served, ...given }),
  "limits of healthServer": (given) => manager.healthServer({ ...served, limits: given }),
  EventRecorder: (given) => new EventRecorder({ client, controller: "a", ...given }),
  webhookFor: (given) => webhook.webhookFor(ConfigMap, given),
  admit: (given) => webhook.admit(guard, { object: secret, ...given }),
  deny: (given) => webhook.deny("no", given),
  webhookServer: (given) =>
    webhook.webhookServer({ certificate: { load: null!, watch: null! }, ...given }),
  filesCertificate: (given) => webhook.filesCertificate({ path: "/a", ...given }),
  ownCertificates: (given) => {
    const place = { namespace: "a", name: "b" };
    return webhook.ownCertificates({ client, secret: place, hosts: ["a"], ...given });
  },
  webhookConfigurationsOf: (given) =>
    webhook.webhookConfigurationsOf(operator, { url: "https://a", ...given }),
  caBundleTargetsOf: (given) => webhook.caBundleTargetsOf(operator, given),
  certManagerManifests: (given) => {
    const service = { namespace: "a", name: "b" };
    return webhook.certManagerManifests({ service, name: "a", ...given });
  },
  keepConfigurations: (given) =>
    webhook.keepConfigurations({ client, configurations: [], ...given }),
  rulesOf: (given) => rbac.rulesOf(operator, given),
  needsOf: (given) => rbac.needsOf(operator, given),
  denoFlagsOf: (given) => rbac.denoFlagsOf(given),
  rbacManifests: (given) => rbac.rbacManifests(operator, { namespace: "a", ...given }),
};

/** Functions whose call with known options alone starts work, or needs a server. */
const WORKS = ["runOperator", "reconcileOnce", "run of a manager", "runElectedOperator"]
  .concat(["applyChild", "pruneChildren", "finalize", "webhookServer", "add of a manager"])
  .concat("webhookFor");

for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`${name} refuses an unknown option, with the names of the known ones`, async () => {
    await assert.rejects(async () => await call({ nmespace: "shop" }), (error: unknown) => {
      assert(error instanceof TypeError, String(error));
      assert.match(error.message, /there is no option \S*nmespace, only \S/);
      return true;
    });
    if (!WORKS.includes(name)) await call({ nmespace: undefined });
  });
}

Deno.test("the options of the one API are refused by the other, where they would watch everything", () => {
  const both = { client, namespaces: ["shop"] };
  assert.throws(() => controller.runOperator(operator, both), /there is no option namespaces/);
  const other: object = { client, namespace: "shop" };
  assert.throws(
    () => manager.createManager(other as manager.ManagerOptions),
    /Cannot create a manager: there is no option namespace, only client, name, namespaces/,
  );
  const misspelt: object = { client, leaderelection: {} };
  assert.throws(
    () => manager.createManager(misspelt as manager.ManagerOptions),
    /there is no option leaderelection, only .*leaderElection/,
  );
});

Deno.test("the setup of a manager is one object for createManager and the functions of RBAC", () => {
  type Setup =
    & manager.ManagerOptions
    & rbac.RulesOptions
    & rbac.RbacManifestsOptions
    & rbac.DenoFlagsOptions;
  const setup: Record<keyof Setup, true> = SETUP_OPTIONS;
  const run: Record<keyof controller.RunOperatorOptions, true> = RUN_OPTIONS;
  const once: Record<keyof controller.ReconcileOnceOptions, true> = ONCE_OPTIONS;
  for (const names of [setup, run, once]) assert("client" in names);
  const leaderElection = { name: "a" };
  const options = { client, name: "a", leaderElection, healthServer: served };
  assert.equal(rbac.rulesOf(operator, options).leaderElection?.namespace, "default");
  assert(rbac.denoFlagsOf(options).length > 0);
});

Deno.test("an option that is undefined leaves an earlier value, and the default, as they are", () => {
  const twice = controllerFor(ConfigMap).options({ workers: 4 }).options({ workers: undefined! });
  assert.equal(twice.reconcile(() => {}).options.workers, 4);
});
