import assert from "node:assert/strict";
import { base64Length } from "@xca/apimachinery/internal/validation";
import { seededRandom } from "@xca/apimachinery/base";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { ApiServer } from "../../server.ts";
import { base64Text, toBase64 } from "./base64.ts";
import { goJsonObjectProblem } from "../../validation/go_json_problem.ts";
import { keyPairProblem } from "./tls_key_pair.ts";

Deno.test("the error about a text that is not a JSON object is that of Go", () => {
  const problems: Record<string, string | undefined> = {
    "{}": undefined,
    "null": undefined,
    '{"a": [1, -2.5e+3, "x\\u00e4"], "b": {"c": true}}': undefined,
    "": "unexpected end of JSON input",
    "{": "unexpected end of JSON input",
    "no": "invalid character 'o' in literal null (expecting 'u')",
    "x": "invalid character 'x' looking for beginning of value",
    "{a}": "invalid character 'a' looking for beginning of object key string",
    '{"a" 1}': "invalid character '1' after object key",
    '{"a":1 2}': "invalid character '2' after object key:value pair",
    "[1 2]": "invalid character '2' after array element",
    "{} x": "invalid character 'x' after top-level value",
    "-x": "invalid character 'x' in numeric literal",
    "[]": "json: cannot unmarshal array into Go value of type map[string]interface {}",
    "1": "json: cannot unmarshal number into Go value of type map[string]interface {}",
    "true": "json: cannot unmarshal bool into Go value of type map[string]interface {}",
    '"a"': "json: cannot unmarshal string into Go value of type map[string]interface {}",
  };
  for (const [text, problem] of Object.entries(problems)) {
    assert.equal(goJsonObjectProblem(text), problem, text);
  }
});

Deno.test("keyPairProblem() refuses a key that does not belong to the certificate", async () => {
  const ca = await CertificateAuthority.create("ca", new FakeClock().now());
  const own = await ca.client("a", []);
  const other = await ca.client("b", []);
  assert.equal(keyPairProblem(own.cert, own.key), undefined);
  assert.equal(keyPairProblem(own.cert, other.key), "tls: private key does not match public key");
  assert.match(keyPairProblem(own.key, own.cert)!, /PEM inputs may have been switched/);
  assert.match(keyPairProblem("x", "x")!, /any PEM data in certificate input/);
  assert.match(keyPairProblem(own.cert, "x")!, /any PEM data in key input/);
  assert.match(keyPairProblem(own.cert, own.cert)!, /a certificate rather than a key/);
  const unfinished = "-----BEGIN A-----\n".repeat(200_000);
  assert.match(keyPairProblem(unfinished, own.key)!, /any PEM data in certificate input/);
});

Deno.test("base64Length() returns the number of encoded bytes", () => {
  for (const text of ["", "a", "ab", "abc", "ünï"]) {
    assert.equal(base64Length(toBase64(text)), new TextEncoder().encode(text).length);
    assert.equal(base64Text(toBase64(text)), text);
  }
});

Deno.test("each cluster IP is allocated once, until the range is exhausted", async () => {
  using server = await ApiServer.start({
    clock: new FakeClock(),
    random: seededRandom(7),
    serviceCidr: "10.0.0.0/27",
    controllers: [],
  });
  const create = async (
    index: number,
  ): Promise<{ code: number; address: string; text: string }> => {
    const response = await server.fetch(
      new Request("https://server.invalid/api/v1/namespaces/default/services", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ metadata: { name: `s-${index}` }, spec: { ports: [{ port: 1 }] } }),
      }),
    );
    const body = await response.json();
    return { code: response.status, address: body.spec?.clusterIP, text: body.message };
  };
  const addresses = new Set<string>(["10.0.0.1"]);
  for (let index = 0; index < 29; index++) {
    const { code, address } = await create(index);
    assert.equal(code, 201);
    addresses.add(address);
  }
  assert.equal(addresses.size, 30);
  const { code, text } = await create(29);
  assert.equal(code, 500);
  assert.match(text, /failed to allocate a serviceIP for Service "s-29": range is full/);
});

Deno.test("keys and scopes may have the names of inherited JavaScript members", async () => {
  using server = await ApiServer.start({ controllers: [] });
  const create = async (plural: string, text: string): Promise<number> => {
    const path = `https://server.invalid/api/v1/namespaces/default/${plural}`;
    const headers = { "Content-Type": "application/json" };
    const answer = await server.fetch(new Request(path, { method: "POST", headers, body: text }));
    await answer.body?.cancel();
    return answer.status;
  };
  const data = '{"constructor": "a", "__proto__": "b", "toString": "c"}';
  assert.equal(await create("configmaps", `{"metadata": {"name": "a"}, "data": ${data}}`), 201);
  const quota =
    '{"metadata": {"name": "a"}, "spec": {"hard": {"pods": "1"}, "scopes": ["constructor"]}}';
  assert.equal(await create("resourcequotas", quota), 422);
});
