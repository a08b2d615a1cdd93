import assert from "node:assert/strict";
import { FOOS, PatientServer } from "../server_fakes_test.ts";

const MERGE = "application/merge-patch+json";
const JSON_PATCH = "application/json-patch+json";
const APPLY = "application/apply-patch+yaml";

/** A function that sends a request and returns the code and message of the response. */
type Send = (method: string, path: string, body: unknown, type?: string) => Promise<string>;

async function withFoos(run: (send: Send) => Promise<void>): Promise<void> {
  using server = await PatientServer.start();
  await run(async (method, path, body, type) => {
    const answer = await server.send(method, path, { body, ...(type && { type }) });
    return `${answer.code} ${answer.body.message ?? ""}`;
  });
}

const foo = { apiVersion: "example.com/v1", kind: "Foo", metadata: { name: "a" }, spec: { b: 1 } };

Deno.test("a custom object with a null version is refused with a message", () =>
  withFoos(async (send) => {
    const refused =
      '400 Foo in version "" cannot be handled as a Foo: .apiVersion accessor error: ' +
      "<nil> is of the type <nil>, expected string";
    assert.equal(await send("POST", FOOS, { ...foo, apiVersion: null }), refused);
    assert.equal(await send("POST", FOOS, foo), "201 ");
    assert.equal(await send("PUT", `${FOOS}/a`, { ...foo, apiVersion: null }), refused);
  }));

Deno.test("the error about a custom object patched to another kind names that kind", () =>
  withFoos(async (send) => {
    await send("POST", FOOS, foo);
    const merge = (patch: unknown): Promise<string> => send("PATCH", `${FOOS}/a`, patch, MERGE);
    assert.equal(
      await merge({ apiVersion: "x/v1" }),
      '422 Foo.x "a" is invalid: apiVersion: Invalid value: "x/v1": must be example.com/v1',
    );
    assert.equal(
      await merge({ apiVersion: "v1", kind: "Bar" }),
      '422 Bar "a" is invalid: [kind: Invalid value: "Bar": must be Foo, ' +
        'apiVersion: Invalid value: "v1": must be example.com/v1]',
    );
    assert.match(
      await merge({ apiVersion: "x/y/z" }),
      /": unexpected GroupVersion string: x\/y\/z$/,
    );
    const none = "500 Internal error occurred: " +
      "Object 'apiVersion' is missing in 'object has no apiVersion field'";
    assert.equal(await merge({ apiVersion: null }), none);
    const remove = [{ op: "remove", path: "/apiVersion" }];
    assert.equal(await send("PATCH", `${FOOS}/a`, remove, JSON_PATCH), none);
  }));

Deno.test("an apply without a textual kind is refused", () =>
  withFoos(async (send) => {
    const apply = (fields: object): Promise<string> =>
      send("PATCH", `${FOOS}/a?fieldManager=m`, { ...foo, ...fields }, APPLY);
    for (const apiVersion of [null, 5, {}, []]) {
      assert.equal(await apply({ apiVersion }), "400 invalid object type: /, Kind=Foo");
    }
    assert.equal(await apply({ kind: 5 }), "400 invalid object type: example.com/v1, Kind=");
  }));

Deno.test("a number beyond the range is refused in JSON and is text in YAML", () =>
  withFoos(async (send) => {
    const why = "json: cannot unmarshal number 1e400 into Go";
    const body = JSON.stringify(foo).replace('"b":1', '"b":1e400');
    assert.equal(
      await send("POST", FOOS, body),
      `400 Foo in version "v1" cannot be handled as a Foo: ${why} value of type float64`,
    );
    await send("POST", FOOS, foo);
    assert.equal(
      await send("PATCH", `${FOOS}/a`, '{"spec":{"b":1e400}}', MERGE),
      `400 error decoding patch: ${why} value of type float64`,
    );
    assert.equal(
      await send("PATCH", `${FOOS}/a`, '[{"op":"add","path":"/x","value":[1e400]}]', JSON_PATCH),
      `400 error decoding patch: ${why} struct field jsonPatchOp.value of type float64`,
    );
    const other = body.replace('"name":"a"', '"name":"b"');
    assert.equal(await send("POST", FOOS, other, "application/yaml"), "201 ");
  }));
