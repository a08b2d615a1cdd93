/**
 * Tests of the responses of a registry: valid and invalid ones.
 *
 * @module
 */
import assert from "node:assert/strict";
import { FakeClock } from "@xca/operator/testing";
import { Registry, RegistryError } from "./registry.ts";

const bounds = () => ({ clock: new FakeClock(), signal: new AbortController().signal });

/** Returns a registry that sends one response to all requests. */
function answering(body: string, init: ResponseInit = {}): Registry {
  return new Registry("http://registry/", () => Promise.resolve(new Response(body, init)));
}

const BAD: Readonly<Record<string, string>> = {
  "<html>": "it is not JSON",
  "[]": "it must be an object",
  "null": "it must be an object",
  "{}": "instances must be a list",
  '{ "instances": {} }': "instances must be a list",
  '{ "instances": ["10.0.0.1"] }': "it must be an object",
  '{ "instances": [{}] }': "undefined is no address",
  '{ "instances": [{ "address": 10 }] }': "10 is no address",
  '{ "instances": [{ "address": "10.0.0.256" }] }': '"10.0.0.256" is no address',
  '{ "instances": [{ "address": "10.1" }] }': '"10.1" is no address',
  '{ "instances": [{ "address": "10.0.0.1:80" }] }': '"10.0.0.1:80" is no address',
  '{ "instances": [{ "address": "2001:db8::g" }] }': '"2001:db8::g" is no address',
  '{ "instances": [{ "address": "web_1.example.org" }] }': '"web_1.example.org" is no address',
  '{ "instances": [{ "address": "10.0.0.1", "state": "on" }] }': 'the state of 10.0.0.1 is "on"',
};

for (const [body, why] of Object.entries(BAD)) {
  Deno.test(`example 14: the answer ${body} is refused as a whole`, async () => {
    await assert.rejects(answering(body).instances("orders", bounds()), (error: unknown) => {
      assert(error instanceof RegistryError);
      assert.equal(error.reason, "InvalidAnswer");
      assert(error.message.endsWith(why), error.message);
      return true;
    });
  });
}

Deno.test("example 14: an address counts once, in one form, and is up when any entry says so", async () => {
  const instances = [
    { address: "10.0.0.1", state: "down" },
    { address: "10.0.0.1" },
    { address: "10.0.0.1", state: "draining" },
    { address: "2001:0DB8::0001", state: "down" },
    { address: "2001:db8::1", state: "draining" },
  ];
  const found = await answering(JSON.stringify({ instances })).instances("orders", bounds());
  assert.deepEqual(found, [
    { address: "10.0.0.1", addressType: "IPv4", state: "up" },
    { address: "2001:db8::1", addressType: "IPv6", state: "draining" },
  ]);
});

Deno.test("example 14: an unknown service has no instances, and a refusal is no answer", async () => {
  assert.deepEqual(await answering("", { status: 404 }).instances("orders", bounds()), []);
  for (const status of [204, 301, 401, 500]) {
    const body = status === 204 ? null : "[]";
    const registry = new Registry(
      "http://registry",
      () => Promise.resolve(new Response(body, { status })),
    );
    await assert.rejects(registry.instances("orders", bounds()), RegistryError, `${status}`);
  }
});

Deno.test("example 14: the name of a service is one part of the path", async () => {
  const paths: string[] = [];
  const registry = new Registry("http://registry/v1/", (input) => {
    paths.push(`${input}`);
    return Promise.resolve(Response.json({ instances: [] }));
  });
  await registry.instances("../admin?x=1", bounds());
  assert.deepEqual(paths, ["http://registry/v1/services/..%2Fadmin%3Fx%3D1"]);
});
