/**
 * Scenarios of service accounts: the default account of each namespace, the certificates of the API
 * server's authority, the accounts of pods, and token Secrets.
 *
 * @module
 */
import type {
  V1Pod,
  V1Secret,
  V1TokenReview,
} from "../../../lib/apimachinery/kubernetes_types/mod.ts";
import {
  ConfigMap,
  Namespace,
  Pod,
  ReplicaSet,
  Secret,
  ServiceAccount,
  TokenReview,
} from "../../../lib/apimachinery/meta/mod.ts";
import { errorText } from "../../../lib/apimachinery/base/mod.ts";
import { ignoreNotFound, mergePatch, requestToken } from "../../../lib/client/mod.ts";
import type { Scenario, ScenarioArea, Stage } from "../world.ts";
import { isFilled } from "./at_rest.ts";
import { create, deployment, untilPods, untilReady } from "./parts.ts";
import { ACCOUNT_KINDS, textOf } from "./service_account_facts.ts";

const CERTIFICATES = "kube-root-ca.crt";
const ACCOUNT_NAME = "kubernetes.io/service-account.name";
const ACCOUNT_UID = "kubernetes.io/service-account.uid";
const INVALID_SINCE = "kubernetes.io/legacy-token-invalid-since";
const TOKEN_TYPE = "kubernetes.io/service-account-token";

/** Waits until a condition of a stage holds. @throws {Error} When it does not within two minutes. */
async function until(stage: Stage, what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let second = 0; second < 120; second++) {
    if (await isSo()) return;
    await stage.pass(1000);
  }
  throw new Error(`Namespace ${stage.namespace} does not get to ${what}`);
}

/** Stores the text of a response in the namespace, so that it is compared. */
async function keepAnswer(stage: Stage, name: string, text: string): Promise<void> {
  await create(stage, ConfigMap, { metadata: { name }, data: { text } });
}

async function createAccount(stage: Stage, name: string, secrets: string[] = []): Promise<string> {
  const { metadata } = await create(stage, ServiceAccount, {
    metadata: { name },
    ...(secrets.length > 0 && { secrets: secrets.map((secret) => ({ name: secret })) }),
  });
  return metadata.uid!;
}

function tokenSecret(account: string, more: Partial<V1Secret> = {}): V1Secret {
  const { metadata, ...fields } = more;
  return {
    ...fields,
    metadata: {
      name: "token",
      ...metadata,
      annotations: { [ACCOUNT_NAME]: account, ...metadata?.annotations },
    },
    type: TOKEN_TYPE,
  };
}

function readSecret({ client, key }: Stage, name = "token"): Promise<V1Secret | undefined> {
  return ignoreNotFound(client.get(Secret, key(name)));
}

/** Waits until a Secret has a token; returns the token. */
async function untilToken(stage: Stage, name = "token"): Promise<string> {
  let token = "";
  await until(stage, "a token", async () => {
    const secret = await ignoreNotFound(stage.client.get(Secret, stage.key(name)));
    token = secret ? textOf(secret, "token") : "";
    return token !== "";
  });
  return token;
}

function patchSecret(stage: Stage, patch: Record<string, unknown>): Promise<unknown> {
  return stage.client.patch(Secret, stage.key("token"), mergePatch(patch as never));
}

/** Waits until a token is accepted or refused; stores the result under a name. */
async function review(stage: Stage, name: string, token: string, isUser: boolean): Promise<void> {
  const asked: V1TokenReview = { metadata: {}, spec: { token } };
  let answer = asked;
  // An API server may take a token that it has seen for some seconds more.
  await until(stage, name, async () => {
    answer = await stage.client.create(TokenReview, asked);
    return (answer.status?.authenticated ?? false) === isUser;
  });
  const { user, error = "" } = answer.status ?? {};
  const { username = "", groups = [] } = user ?? {};
  await keepAnswer(stage, name, [username, ...groups, error].filter(Boolean).join(" "));
}

/** Attempts to create a pod; stores the error under a name. */
async function refusedPod(stage: Stage, name: string, spec: Partial<V1Pod["spec"]>): Promise<void> {
  await create(stage, Pod, pod(name, spec)).then(
    () => keepAnswer(stage, name, "created"),
    (error) => keepAnswer(stage, name, errorText(error)),
  );
}

function pod(name: string, spec: Partial<V1Pod["spec"]> = {}): V1Pod {
  return { metadata: { name }, spec: { containers: [{ name: "app", image: "app:1" }], ...spec } };
}

function scenario(name: string, run: Scenario["run"], more: Partial<Scenario> = {}): Scenario {
  return { name, restMs: 1500, run, ...more };
}

const ACCOUNTS: readonly Scenario[] = [
  scenario("account default that is deleted", async (stage) => {
    const { client, key } = stage;
    const { metadata } = await client.get(ServiceAccount, key("default"));
    await client.delete(ServiceAccount, key("default"));
    await until(stage, "another account", async () => {
      const account = await ignoreNotFound(client.get(ServiceAccount, key("default")));
      return account !== undefined && account.metadata.uid !== metadata.uid;
    });
  }),
  scenario("account default that is changed", async ({ client, key }) => {
    const patch = { metadata: { labels: { a: "b" } }, imagePullSecrets: [{ name: "pull" }] };
    await client.patch(ServiceAccount, key("default"), mergePatch(patch));
  }),
  scenario("account of another name that is deleted", async (stage) => {
    await createAccount(stage, "robot");
    await stage.settle();
    await stage.client.delete(ServiceAccount, stage.key("robot"));
  }),
  scenario("accounts and certificates of a namespace that is deleted", async (stage) => {
    const { client, key, namespace } = stage;
    const metadata = { name: "held", finalizers: ["example.com/hold"] };
    await untilCertificates(stage);
    await create(stage, ConfigMap, { metadata });
    await client.delete(Namespace, namespace);
    await until(
      stage,
      "no account",
      async () => await ignoreNotFound(client.get(ServiceAccount, key("default"))) === undefined,
    );
    await until(
      stage,
      "no certificates",
      async () => await ignoreNotFound(client.get(ConfigMap, key(CERTIFICATES))) === undefined,
    );
  }),
];

/** Waits until the certificates of the authority are in a namespace. */
async function untilCertificates(stage: Stage): Promise<void> {
  await until(stage, "certificates", async () => {
    const { data } = await ignoreNotFound(stage.client.get(ConfigMap, stage.key(CERTIFICATES))) ??
      {};
    return data?.["ca.crt"]?.includes("BEGIN CERTIFICATE") ?? false;
  });
}

/** Returns a scenario in which the published certificates of a namespace are changed. */
function certificates(name: string, change: Scenario["run"]): Scenario {
  return scenario(`certificates ${name}`, async (stage) => {
    await untilCertificates(stage);
    await change(stage);
    await stage.settle();
    await untilCertificates(stage);
  });
}

function patchCertificates(patch: Record<string, unknown>): Scenario["run"] {
  return async ({ client, key }) => {
    await client.patch(ConfigMap, key(CERTIFICATES), mergePatch(patch as never));
  };
}

const CERTIFICATE_SCENARIOS: readonly Scenario[] = [
  certificates("of a namespace", () => Promise.resolve()),
  certificates("that are deleted", async ({ client, key }) => {
    await client.delete(ConfigMap, key(CERTIFICATES));
  }),
  certificates("that are changed", patchCertificates({ data: { "ca.crt": "other" } })),
  certificates("beside other data", patchCertificates({ data: { other: "data" } })),
  certificates(
    "without their description",
    patchCertificates({ metadata: { annotations: null } }),
  ),
  certificates(
    "with another description, a label and an annotation",
    patchCertificates({
      metadata: {
        annotations: { "kubernetes.io/description": "mine", a: "b" },
        labels: { a: "b" },
      },
    }),
  ),
];

const PODS: readonly Scenario[] = [
  scenario("pod of the account default", async (stage) => {
    const initContainers = [{ name: "first", image: "app:1" }];
    await create(stage, Pod, pod("plain", { initContainers }));
  }),
  scenario("pods of accounts with and without tokens", async (stage) => {
    const { client, key } = stage;
    const off = { automountServiceAccountToken: false };
    await create(stage, ServiceAccount, { metadata: { name: "quiet" }, ...off });
    await create(stage, Pod, pod("quiet", { serviceAccountName: "quiet" }));
    const asked = { serviceAccountName: "quiet", automountServiceAccountToken: true };
    await create(stage, Pod, pod("asked", asked));
    await create(stage, Pod, pod("declined", off));
    const pulls = mergePatch({ imagePullSecrets: [{ name: "pull" }] });
    await client.patch(ServiceAccount, key("default"), pulls);
    await until(stage, "a pod with the account's pull secret", async () => {
      await create(stage, Pod, pod("pulled"));
      const { spec } = await client.get(Pod, key("pulled"));
      if (spec?.imagePullSecrets?.length) return true;
      await client.delete(Pod, key("pulled"), { gracePeriodSeconds: 0 });
      return false;
    });
  }),
  scenario("pod of an account that does not exist", async (stage) => {
    await refusedPod(stage, "answer", { serviceAccountName: "nobody" });
  }),
  scenario("ReplicaSet of an account that is created later", async (stage) => {
    const { metadata, spec: { selector, template } } = deployment();
    template.spec!.serviceAccountName = "robot";
    await create(stage, ReplicaSet, { metadata, spec: { replicas: 2, selector, template } });
    await stage.settle();
    await createAccount(stage, "robot");
    await untilReady(stage, 2);
  }, { kinds: [{ type: ReplicaSet, isAtRest: isFilled }] }),
  scenario("ReplicaSet whose account is deleted", async (stage) => {
    const { client, key } = stage;
    const { metadata, spec: { selector, template } } = deployment();
    template.spec!.serviceAccountName = "robot";
    await createAccount(stage, "robot");
    await create(stage, ReplicaSet, { metadata, spec: { replicas: 1, selector, template } });
    await untilReady(stage, 1);
    await client.delete(ServiceAccount, key("robot"));
    await stage.settle();
    await client.patch(ReplicaSet, key("web"), mergePatch({ spec: { replicas: 2 } }));
    await untilPods(stage, 1);
  }, { kinds: [{ type: ReplicaSet }] }),
];

const TOKENS: readonly Scenario[] = [
  scenario("token Secret of the account default", async (stage) => {
    await create(stage, Secret, tokenSecret("default"));
    await untilToken(stage);
  }),
  scenario("token Secret of an account that does not exist", async (stage) => {
    await create(stage, Secret, tokenSecret("nobody"));
    await until(stage, "no Secret", async () => !await readSecret(stage));
  }),
  scenario("token Secret of an account of another uid", async (stage) => {
    const uid = "11111111-2222-4333-8444-555555555555";
    const annotations = { [ACCOUNT_UID]: uid };
    await create(stage, Secret, tokenSecret("default", { metadata: { annotations } }));
    await until(stage, "no Secret", async () => !await readSecret(stage));
  }),
  scenario("token Secret of an account of its uid", async (stage) => {
    const annotations = { [ACCOUNT_UID]: await createAccount(stage, "robot") };
    await create(stage, Secret, tokenSecret("robot", { metadata: { annotations } }));
    await untilToken(stage);
  }),
  scenario("two token Secrets of an account", async (stage) => {
    await createAccount(stage, "robot");
    await create(stage, Secret, tokenSecret("robot"));
    await create(stage, Secret, tokenSecret("robot", { metadata: { name: "other" } }));
    await untilToken(stage);
    await untilToken(stage, "other");
  }),
  scenario("token Secrets whose account is deleted", async (stage) => {
    await createAccount(stage, "robot");
    await create(stage, Secret, tokenSecret("robot"));
    await create(stage, Secret, tokenSecret("robot", { metadata: { name: "other" } }));
    await create(stage, Secret, tokenSecret("default", { metadata: { name: "kept" } }));
    const annotations = { [ACCOUNT_NAME]: "robot" };
    await create(stage, Secret, { metadata: { name: "opaque", annotations } });
    for (const name of ["token", "other", "kept"]) await untilToken(stage, name);
    await stage.client.delete(ServiceAccount, stage.key("robot"));
    for (const name of ["token", "other"]) {
      await until(stage, "no Secret", async () => !await readSecret(stage, name));
    }
  }),
  scenario("token Secret of an account that is deleted and made again", async (stage) => {
    await create(stage, Secret, tokenSecret("default"));
    await untilToken(stage);
    await stage.client.delete(ServiceAccount, stage.key("default"));
    await until(stage, "no Secret", async () => !await readSecret(stage));
  }),
  scenario("token Secret whose token is removed", async (stage) => {
    await create(stage, Secret, tokenSecret("default"));
    await untilToken(stage);
    await patchSecret(stage, { data: { token: null } });
    await untilToken(stage);
  }),
  scenario("token Secret whose certificates and namespace are changed", async (stage) => {
    await create(stage, Secret, tokenSecret("default"));
    await untilToken(stage);
    await patchSecret(stage, { data: { "ca.crt": "QUFB", namespace: "QUFB" } });
    await until(
      stage,
      "certificates",
      async () => textOf((await readSecret(stage))!, "ca.crt").includes("BEGIN"),
    );
  }),
  scenario("token Secret without its namespace and with other data", async (stage) => {
    await create(stage, Secret, tokenSecret("default"));
    await untilToken(stage);
    await patchSecret(stage, { data: { namespace: null, other: "QUFB" } });
    await until(
      stage,
      "a namespace",
      async () => textOf((await readSecret(stage))!, "namespace") !== "",
    );
  }),
  scenario("token Secret with a token of the user", async (stage) => {
    await create(stage, Secret, tokenSecret("default", { data: { token: btoa("mine") } }));
    await until(
      stage,
      "certificates",
      async () => textOf((await readSecret(stage))!, "ca.crt") !== "",
    );
  }),
  scenario("token Secret that is immutable", async (stage) => {
    await create(stage, Secret, tokenSecret("default", { immutable: true }));
  }),
  scenario("token Secret that its account lists, and that is deleted", async (stage) => {
    await createAccount(stage, "robot", ["token", "opaque"]);
    await create(stage, Secret, tokenSecret("robot"));
    await untilToken(stage);
    await stage.client.delete(Secret, stage.key("token"));
    await until(stage, "no reference", async () => {
      const { secrets = [] } = await stage.client.get(ServiceAccount, stage.key("robot"));
      return secrets.every(({ name }) => name !== "token");
    });
  }, { forgetful: ["serviceaccount-token-controller"] }),
  scenario("Secret that its account lists, and that is deleted", async (stage) => {
    await createAccount(stage, "robot", ["opaque"]);
    await create(stage, Secret, { metadata: { name: "opaque" } });
    await stage.settle();
    await stage.client.delete(Secret, stage.key("opaque"));
  }),
  scenario("token Secret of an account that lists it, and that is deleted", async (stage) => {
    await createAccount(stage, "robot", ["token"]);
    await create(stage, Secret, tokenSecret("robot"));
    await untilToken(stage);
    await stage.client.delete(ServiceAccount, stage.key("robot"));
    await until(stage, "no Secret", async () => !await readSecret(stage));
  }),
];

const USES: readonly Scenario[] = [
  scenario("token of a Secret that is used, and whose Secret is deleted", async (stage) => {
    await createAccount(stage, "robot");
    await create(stage, Secret, tokenSecret("robot"));
    const token = await untilToken(stage);
    await review(stage, "used", token, true);
    await until(
      stage,
      "a label",
      async () => Object.keys((await readSecret(stage))?.metadata.labels ?? {}).length > 0,
    );
    await stage.client.delete(Secret, stage.key("token"));
    await review(stage, "deleted", token, false);
  }),
  scenario("token of a Secret that is used, and whose account is deleted", async (stage) => {
    await createAccount(stage, "robot");
    await create(stage, Secret, tokenSecret("robot"));
    const token = await untilToken(stage);
    await review(stage, "used", token, true);
    await stage.client.delete(ServiceAccount, stage.key("robot"));
    await until(stage, "no Secret", async () => !await readSecret(stage));
    await review(stage, "deleted", token, false);
  }),
  scenario("token of a Secret that is marked invalid", async (stage) => {
    await createAccount(stage, "robot", ["token"]);
    await create(stage, Secret, tokenSecret("robot"));
    const token = await untilToken(stage);
    await patchSecret(stage, { metadata: { labels: { [INVALID_SINCE]: "2026-01-01" } } });
    await review(stage, "invalid", token, false);
  }),
  scenario("token of a Secret that has another token now", async (stage) => {
    await createAccount(stage, "robot");
    await create(stage, Secret, tokenSecret("robot"));
    const token = await untilToken(stage);
    await patchSecret(stage, { data: { token: btoa("mine") } });
    await review(stage, "other", token, false);
  }),
  scenario("token by request that is bound to a Secret", async (stage) => {
    await createAccount(stage, "robot");
    await create(stage, Secret, { metadata: { name: "bound" } });
    const boundTo = { apiVersion: "v1", kind: "Secret", name: "bound" };
    const { token } = await requestToken(stage.client, stage.key("robot"), { boundTo });
    await review(stage, "used", token, true);
    await stage.client.delete(Secret, stage.key("bound"));
    await review(stage, "deleted", token, false);
  }),
];

/** The scenarios of service accounts and their tokens. */
export const SERVICE_ACCOUNTS: ScenarioArea = {
  name: "service_accounts",
  kinds: ACCOUNT_KINDS,
  scenarios: [...ACCOUNTS, ...CERTIFICATE_SCENARIOS, ...PODS, ...TOKENS, ...USES],
};
