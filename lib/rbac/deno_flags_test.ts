/** Tests of the Deno flags of an operator's program. */
import assert from "node:assert/strict";
import { denoFlagsOf } from "./deno_flags.ts";

Deno.test("flags: a program in a pod reaches the API server and reads its account, and nothing else", () => {
  assert.deepEqual(denoFlagsOf(), [
    "--no-prompt",
    "--allow-env=KUBERNETES_SERVICE_HOST,KUBERNETES_SERVICE_PORT",
    "--allow-net=$(KUBERNETES_SERVICE_HOST):$(KUBERNETES_SERVICE_PORT)",
    "--allow-read=/var/run/secrets/kubernetes.io/serviceaccount",
  ]);
});

Deno.test("flags: each server adds its address, one with TLS that of handshakes, and files those to read", () => {
  const certificate = { certFile: "/tls/tls.crt", keyFile: "/tls/tls.key" };
  assert.deepEqual(
    denoFlagsOf({
      apiServer: "[fd00::1]:443",
      healthServer: { bindAddress: "127.0.0.1:8081" },
      metricsServer: { bindAddress: "[::1]:8443", certificate },
      webhookServer: {
        bindAddress: ":9443",
        certificate: { ...certificate, caFile: "/tls/ca.crt" },
      },
      env: ["POD_NAMESPACE"],
      net: ["backend.example.org:443"],
      read: ["/etc/settings.json"],
    }).slice(1),
    [
      "--allow-env=KUBERNETES_SERVICE_HOST,KUBERNETES_SERVICE_PORT,POD_NAMESPACE",
      "--allow-net=0.0.0.0:9443,127.0.0.1,[::1]:8443,[::]:9443,[fd00::1]:443,backend.example.org:443",
      "--allow-read=/etc/settings.json,/tls/ca.crt,/tls/tls.crt,/tls/tls.key,/var/run/secrets/kubernetes.io/serviceaccount",
    ],
  );
  const plain = denoFlagsOf({ metricsServer: { bindAddress: "127.0.0.1:8080", secure: false } });
  assert.match(plain[2]!, /=\$\(\S+\),127\.0\.0\.1:8080$/);
});

Deno.test("flags: a server that is off adds nothing, and an address that is none is refused", () => {
  for (const bindAddress of ["0", ""]) {
    assert.deepEqual(denoFlagsOf({ metricsServer: { bindAddress } }), denoFlagsOf());
  }
  assert.throws(
    () => denoFlagsOf({ healthServer: { bindAddress: "8081" } }),
    /Cannot name the Deno flags of a server on "8081": an address is host:port/,
  );
});

Deno.test("flags: the permissions of a kubeconfig replace those of a pod", () => {
  const cluster = { env: ["KUBECONFIG"], net: ["10.0.0.1:6443"], read: ["/config"], run: ["aws"] };
  assert.deepEqual(denoFlagsOf({ cluster }), [
    "--no-prompt",
    "--allow-env=KUBECONFIG",
    "--allow-net=10.0.0.1:6443",
    "--allow-read=/config",
    "--allow-run=aws",
  ]);
  assert.equal(denoFlagsOf({ cluster: { env: true }, env: ["A"] })[1], "--allow-env");
});
