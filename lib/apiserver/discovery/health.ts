// Mirrors `server/healthz/healthz.go, InstallHandler`.

/**
 * The names of the health checks of kube-apiserver's post-start hooks and of
 * `autoregister-completion`, in the order in which health reports list them.
 */
const HOOKS: readonly string[] = [
  "poststarthook/start-apiserver-admission-initializer",
  "poststarthook/generic-apiserver-start-informers",
  "poststarthook/priority-and-fairness-config-consumer",
  "poststarthook/priority-and-fairness-filter",
  "poststarthook/storage-object-count-tracker-hook",
  "poststarthook/start-apiextensions-informers",
  "poststarthook/start-apiextensions-controllers",
  "poststarthook/crd-informer-synced",
  "poststarthook/start-system-namespaces-controller",
  "poststarthook/peer-endpoint-reconciler-controller",
  "poststarthook/start-cluster-authentication-info-controller",
  "poststarthook/start-kube-apiserver-identity-lease-controller",
  "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
  "poststarthook/storage-readiness",
  "poststarthook/start-legacy-token-tracking-controller",
  "poststarthook/start-service-ip-repair-controllers",
  "poststarthook/rbac/bootstrap-roles",
  "poststarthook/scheduling/bootstrap-system-priority-classes",
  "poststarthook/priority-and-fairness-config-producer",
  "poststarthook/bootstrap-controller",
  "poststarthook/start-kubernetes-service-cidr-controller",
  "poststarthook/start-kube-aggregator-informers",
  "poststarthook/apiservice-status-local-available-controller",
  "poststarthook/apiservice-status-remote-available-controller",
  "poststarthook/apiservice-registration-controller",
  "poststarthook/apiservice-discovery-controller",
  "poststarthook/kube-apiserver-autoregistration",
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
];

/**
 * The names of the health checks of each health endpoint. The names are those of kube-apiserver,
 * since clients request checks by name. All checks pass whenever this server responds: `etcd`
 * represents the storage, and the hooks are complete when the server's start resolves.
 */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  healthz: ["ping", "log", "loopback-serving-certificate", "etcd", ...HOOKS],
  livez: ["ping", "log", "loopback-serving-certificate", "etcd", ...HOOKS],
  readyz: ["ping", "log", "etcd", "etcd-readiness", "informer-sync", ...HOOKS, "shutdown"],
};

/** Returns the paths of the health endpoints and of all their checks, such as `/livez/ping`. */
export function healthPaths(): string[] {
  return Object.entries(CHECKS).flatMap(([name, checks]) => [
    `/${name}`,
    ...checks.map((check) => `/${name}/${check}`),
  ]);
}

/**
 * Returns the text of `/metrics/slis` in the Prometheus text format: the value 1, which means
 * success, for each health check.
 */
export function healthMetrics(): string {
  const lines = Object.entries(CHECKS).flatMap(([type, checks]) =>
    checks.map((name) => `kubernetes_healthcheck{name="${name}",type="${type}"} 1\n`)
  ).sort();
  return "# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.\n" +
    `# TYPE kubernetes_healthcheck gauge\n${lines.join("")}`;
}

/**
 * Returns the response, a success, to a request for `/healthz`, `/livez`, `/readyz` or a check
 * below them: the text `ok`, or a list of the checks for the query parameter `verbose` of an
 * endpoint, with a note about each check that a parameter `exclude` names. Returns `undefined` for
 * other paths and unknown checks.
 */
export function healthAnswer(path: string, query: URLSearchParams): Response | undefined {
  const [, name = "", ...rest] = path.split("/");
  const check = rest.join("/");
  const checks = Object.hasOwn(CHECKS, name) ? CHECKS[name] : undefined;
  if (!checks) return undefined;
  if (rest.length > 0) return checks.includes(check) ? text("ok", {}) : undefined;
  if (!query.has("verbose")) return text("ok");
  const excluded = query.getAll("exclude");
  const lines = checks.map((each) =>
    excluded.includes(each) ? `[+]${each} excluded: ok\n` : `[+]${each} ok\n`
  );
  const unknown = excluded.filter((each) => !checks.includes(each)).sort();
  if (unknown.length > 0) {
    const quoted = unknown.map((each) => JSON.stringify(each)).join(",");
    lines.push(`warn: some health checks cannot be excluded: no matches for ${quoted}\n`);
  }
  return text(`${lines.join("")}${name} check passed\n`);
}

/** The header that the response of an endpoint has, unlike that of a single check. */
const NO_SNIFF: Readonly<Record<string, string>> = { "X-Content-Type-Options": "nosniff" };

function text(body: string, more: Readonly<Record<string, string>> = NO_SNIFF): Response {
  return new Response(body, {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-cache, private",
      ...more,
    },
  });
}
