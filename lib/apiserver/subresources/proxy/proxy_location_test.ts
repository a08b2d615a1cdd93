import assert from "node:assert/strict";
import { StatusError } from "@xca/apimachinery/internal/errors";
import type { Registry } from "../../machinery/registry.ts";
import type { RequestContext } from "../../machinery/request_context.ts";
import { podLocation } from "./proxy_location.ts";

/** Returns the address at which a proxy request reaches a pod with an IP address. */
function locationOf(ip: string): string {
  const pod = { metadata: { name: "web" }, spec: {}, status: { podIPs: [{ ip }] } };
  const context = { namespace: "default", name: "web:80" } as RequestContext;
  const registry = { get: () => pod } as unknown as Registry;
  return podLocation(context, registry).host;
}

Deno.test("proxies connect to no local address, however it is written", () => {
  const local = [
    ["127.0.0.1", "::1", "0:0:0:0:0:0:0:1", "0::1", "::0:1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
    ["0.0.0.0", "::", "0::0", "::ffff:0.0.0.0"],
    ["169.254.1.2", "fe80::1", "FEBF::1", "::ffff:169.254.1.2", "fe80::1%eth0"],
    ["224.0.0.1", "239.1.2.3", "255.255.255.255", "ff02::1", "FF0E::1"],
    ["", "localhost"],
  ].flat();
  for (const ip of local) {
    assert.throws(
      () => locationOf(ip),
      (error) => error instanceof StatusError && error.message === "address not allowed",
      ip,
    );
  }
});

Deno.test("proxies connect to other addresses, private ones too", () => {
  for (const ip of ["10.0.0.1", "192.168.1.1", "240.0.0.1", "255.255.255.254"]) {
    assert.equal(locationOf(ip), `${ip}:80`);
  }
  for (const ip of ["fd00::1", "fe8::1", "ff::1", "fec0::1", "2001:db8::1"]) {
    assert.equal(locationOf(ip), `[${ip}]:80`);
  }
});
