import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import type { V1Service } from "@xca/apimachinery/kubernetes-types";
import { delay } from "@xca/apimachinery/base";
import { ApiServer } from "../server.ts";
import { API } from "./api_service_fakes_test.ts";
import { availabilityOf } from "./availability.ts";
import { probeService } from "./probe_service.ts";
import { serviceAddress } from "./service_address.ts";

const serviceOf = (spec: NonNullable<V1Service["spec"]>): V1Service => ({
  metadata: { name: "ext" },
  spec,
});

Deno.test("the availability of an API is that of the discovery of its version", async () => {
  const asked: unknown[] = [];
  const service = serviceOf({ type: "ExternalName", externalName: "ext.example.org" });
  const probe = (_: V1Service, port: number, path: string): Promise<void> => {
    asked.push([port, path]);
    return Promise.resolve();
  };
  const passed = await availabilityOf(API, { service, slices: [], probe });
  assert.deepEqual(passed, { status: "True", reason: "Passed", message: "all checks passed" });
  assert.deepEqual(asked, [[443, "/apis/ext.example.org/v1"]]);
  const failed = await availabilityOf(API, {
    service,
    slices: [],
    probe: () => Promise.reject(new Error("no answer")),
  });
  assert.deepEqual(failed, {
    status: "False",
    reason: "FailedDiscoveryCheck",
    message: "no answer",
  });
});

Deno.test("a Service of type ClusterIP needs the port and a ready endpoint of it", async () => {
  const service = serviceOf({ ports: [{ port: 443 }] });
  const reasonOf = async (ports: readonly { name?: string; port?: number }[], ready?: boolean) => {
    const conditions = ready === undefined ? {} : { conditions: { ready } };
    const slices = [{
      metadata: {},
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.0.0.1"], ...conditions }],
      ports: [...ports],
    }];
    const probe = (): Promise<void> => Promise.resolve();
    return (await availabilityOf(API, { service, slices, probe })).reason;
  };
  assert.equal(await reasonOf([{ name: "", port: 8443 }]), "Passed");
  assert.equal(await reasonOf([{ name: "", port: 8443 }], true), "Passed");
  assert.equal(await reasonOf([{ name: "", port: 8443 }], false), "MissingEndpoints");
  assert.equal(await reasonOf([{ name: "other", port: 8443 }]), "MissingEndpoints");
  assert.equal(await reasonOf([{ name: "" }]), "MissingEndpoints");
});

Deno.test("the address of a Service: its cluster IP or external name", () => {
  const ports = [{ port: 443 }];
  assert.deepEqual(serviceAddress(serviceOf({ clusterIP: "10.0.0.1", ports }), 443), {
    host: "10.0.0.1",
    port: 443,
  });
  assert.throws(
    () => serviceAddress(serviceOf({ clusterIP: "None", ports }), 443),
    /^Error: cannot route to service with ClusterIP "None"$/,
  );
  assert.throws(
    () => serviceAddress(serviceOf({ clusterIP: "10.0.0.1", ports }), 444),
    /^Error: no service port 444 found for service "ext"$/,
  );
});

Deno.test("a probe of a server that accepts connections and never responds ends after five seconds", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const accepted = listener.accept();
  const clock = new FakeClock();
  const service = serviceOf({ clusterIP: "10.0.0.1", ports: [{ port: 443 }] });
  const probe = probeService(service, 443, "/apis/ext.example.org/v1", {
    clock,
    reach: () => ({ host: "127.0.0.1", port }),
  });
  using _connection = await accepted;
  const url = "https://10.0.0.1:443/apis/ext.example.org/v1";
  const refused = assert.rejects(probe, {
    message: `failing or missing response from ${url}: Get "${url}": ` +
      "context deadline exceeded (Client.Timeout exceeded while awaiting headers)",
  });
  await clock.advance(5000);
  await refused;
});

Deno.test("a server ends with its probes: neither requests nor timers are left", async () => {
  // No server listens on the port, which only the system may use.
  await Promise.all([995, 1000, 1002, 1004, 1006, 1010, 1020].map(async (lifeMs) => {
    await using server = await ApiServer.start();
    await server.seed(JSON.stringify({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "ext", namespace: "default" },
      spec: { type: "ExternalName", externalName: "localhost" },
    }));
    const { service } = API.spec!;
    await server.seed(JSON.stringify({
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      ...API,
      spec: { ...API.spec, insecureSkipTLSVerify: true, service: { ...service, port: 1 } },
    }));
    await delay(lifeMs);
  }));
});
