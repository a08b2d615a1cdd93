/**
 * The access check of the metrics server on a real control plane and on the embedded server: tokens of
 * service accounts, with the right to read `/metrics` and without it.
 *
 * @module
 */
import assert from "node:assert/strict";
import { request } from "node:https";
import { requestToken } from "../../../lib/client/subresources/token_request.ts";
import { createClient } from "../../../lib/client/create_client.ts";
import { ClusterRole, ClusterRoleBinding, Namespace, ServiceAccount } from "@xca/apimachinery/meta";
import { metricsServer } from "../../../lib/manager/endpoints/metrics_server.ts";
import { operatorMetrics } from "../../../lib/manager/metrics/operator_metrics.ts";
import { MetricsRegistry } from "../../../lib/manager/metrics/registry.ts";
import { planeSuite } from "../suite.ts";

const suite = planeSuite();
const never = new AbortController().signal;

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** Reads a path over TLS with a token, without verification of the server. */
function read(url: string, token: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { authorization: `Bearer ${token}` };
  request(url, { agent: false, rejectUnauthorized: false, headers }, (answer) => {
    let text = "";
    answer.on("data", (chunk) => text += chunk);
    answer.on("end", () => resolve({ status: answer.statusCode, text }));
  }).on("error", reject).end();
  return promise;
}

suite.test("the metrics server admits a token with the right to /metrics, and refuses others", async (plane) => {
  using admin = createClient(plane.config);
  const namespace = "metrics-access";
  await admin.create(Namespace, { metadata: { name: namespace } });
  const subjects = (name: string): { kind: string; name: string; namespace: string }[] => [
    { kind: "ServiceAccount", name, namespace },
  ];
  const rbac = "rbac.authorization.k8s.io";
  for (const name of ["operator", "prometheus", "stranger"]) {
    await admin.create(ServiceAccount, { metadata: { namespace, name } });
  }
  await admin.create(ClusterRole, {
    metadata: { name: "metrics-reader" },
    rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }],
  });
  for (
    const [role, account] of [
      ["metrics-reader", "prometheus"],
      ["system:auth-delegator", "operator"],
    ] as const
  ) {
    await admin.create(ClusterRoleBinding, {
      metadata: { name: `metrics-access-${account}` },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role },
      subjects: subjects(account),
    });
  }
  const tokenOf = async (name: string): Promise<string> =>
    (await requestToken(admin, `${namespace}/${name}`)).token;
  const registry = new MetricsRegistry();
  const { client: metrics } = operatorMetrics(registry);
  const asAccount = async (name: string): Promise<ReturnType<typeof createClient>> =>
    createClient({
      server: plane.url,
      tls: { caData: plane.caData },
      credentials: { token: await tokenOf(name) },
    }, { metrics });
  using operator = await asAccount("operator");
  const bindAddress = "127.0.0.1:0";
  await using served = metricsServer({ bindAddress, registry, client: operator });
  await served.setUp(never);
  const url = `${served.url}/metrics`;
  const admitted = await read(url, await tokenOf("prometheus"));
  assert.equal(admitted.status, 200);
  assert.match(admitted.text, /^process_resident_memory_bytes \d+$/m);
  const host = new URL(plane.url).host.replaceAll(/[[\].]/g, "\\$&");
  const reviews = new RegExp(
    `^rest_client_requests_total\\{code="201",method="POST",host="${host}"\\} 4$`,
    "m",
  );
  assert.match(admitted.text, reviews); // Two of the own rights, one of the token, one of the access.
  const refused = await read(url, await tokenOf("stranger"));
  assert.equal(refused.status, 403);
  assert.match(
    refused.text,
    /denied for user system:serviceaccount:metrics-access:stranger: grant it get of the nonResourceURL \/metrics/,
  );
  const unknown = await read(url, "not-a-token");
  assert.deepEqual(unknown, { status: 401, text: "Unauthorized: the token is not valid\n" });

  using stranger = await asAccount("stranger");
  await using withoutRight = metricsServer({ bindAddress, registry, client: stranger });
  await assert.rejects(
    withoutRight.setUp(never),
    /may not create tokenreviews\.authentication\.k8s\.io; bind .*system:auth-delegator/,
  );
});
