import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { ApiError, apiErrorFromObject } from "./api_error.ts";
import { apiErrorFromRefusal } from "../calls/error_response.ts";
import { cutText, messageText, withoutData } from "./message_text.ts";

const SECRET = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s", annotations: {} as Record<string, string> },
  data: { password: "aHVudGVyMg==" },
  stringData: { other: '}"hunter3{]' },
};

/** Returns texts in which kube-apiserver or a webhook quotes a Secret. */
function texts(): string[] {
  const json = JSON.stringify(SECRET);
  const applied = { "kubectl.kubernetes.io/last-applied-configuration": json };
  const annotated = JSON.stringify({ ...SECRET, metadata: { annotations: applied }, data: {} });
  return [
    `"" is invalid: patch: Invalid value: ${JSON.stringify(json)}: json: cannot unmarshal number`,
    `"" is invalid: patch: Invalid value: ${
      JSON.stringify(annotated)
    }: json: cannot unmarshal number`,
    `admission webhook "w" denied the request: ${json}`,
    `cannot convert ${JSON.stringify(JSON.stringify(json))} into go value`,
    'invalid: v1.Secret{Name:"s", Data:map[string][]uint8{"password":[]uint8{0x68}}, StringData:' +
    'map[string]string{"a":"hunter3 aHVudGVyMg=="}}: wrong',
    `cut short: ${json.slice(0, json.indexOf("g==") + 3)}`,
    `cut inside: ${json.slice(0, json.indexOf("hunter3") + 7)}`,
  ];
}

Deno.test("a text of the server shows no data of a Secret, however deeply it is quoted", () => {
  for (const text of texts()) {
    const shown = withoutData(text);
    assert.doesNotMatch(shown, /aHVudGVyMg|hunter|0x68/, text);
    assert.match(shown, /\{\.\.\.\}/);
    assert.ok(shown.startsWith(text.slice(0, 10)));
  }
  const [patched] = texts();
  assert.match(withoutData(patched!), /: json: cannot unmarshal number$/);
});

Deno.test("errors of the server show no data of a Secret: in message, status, causes and stack", () => {
  for (const message of texts()) {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      code: 422,
      message,
      details: { causes: [{ reason: "FieldValueInvalid", message, field: "patch" }] },
    };
    const body = JSON.stringify(status);
    const call = { code: 422, body, method: "PATCH", path: "/x", retryAfterSeconds: undefined };
    for (
      const error of [
        new ApiError({ status }),
        apiErrorFromObject(status),
        apiErrorFromRefusal(call),
        apiErrorFromRefusal({ ...call, body: message }),
        apiErrorFromRefusal({ ...call, body: JSON.stringify(SECRET) }),
      ]
    ) {
      const shown = [error.message, error.stack, String(error), JSON.stringify(error)].join("\n");
      assert.doesNotMatch(shown, /aHVudGVyMg|hunter/, message);
    }
  }
});

Deno.test("a long message of the server is cut and says by how much; a short one is unchanged", () => {
  const error = new ApiError({ status: { code: 500, message: "x".repeat(5_000_000) } });
  assert.ok(error.message.length < 2_100);
  assert.match(error.message, /^x{2000}\.\.\. \(\d+ characters more\)$/);
  assert.equal(messageText('pods "web" not found'), 'pods "web" not found');
  assert.equal(cutText("a😀b", 2), "a... (3 characters more)");
});

Deno.test("hiding data takes linear time on hostile texts", () => {
  const random = seededRandom(7);
  const piece = ['"data":{', "Data:map[", '\\"data\\"', "}", "]", '\\\\"', " ", "secret {} "];
  let text = "";
  while (text.length < 200_000) text += piece[Math.floor(random.next() * piece.length)];
  const repeated = [
    "\\",
    "{",
    "map[",
    "data",
    "expected a ",
    "secret {} ",
    "{{a b",
    "Invalid ",
    "(",
  ];
  for (const hostile of [text, ...repeated.map((part) => part.repeat(30_000 / part.length))]) {
    assert.ok(messageText(hostile).length < 20_100);
  }
});

Deno.test("Go's text forms of a Secret show no data in an error, and refusals keep what they say", () => {
  for (
    const [message, shown] of [
      [
        '"" is invalid: patch: Invalid value: "map[data:map[password:aHVudGVyMg==] metadata:map[' +
        'labels:map[a:5]]]": cannot convert int64 to string',
        '"" is invalid: patch: Invalid value: "map[data:{...}: cannot convert int64 to string',
      ],
      [
        "failed to create typed patch object (d/t; /v1, Kind=Secret): .stringData.password: expected " +
        'string, got &value.valueUnstructured{Value:map[string]interface {}{"inner":"hunter2"}}',
        "failed to create typed patch object (d/t; /v1, Kind=Secret): .stringData.password: expected " +
        "string, got {...}",
      ],
      [
        'refused &Secret{ObjectMeta:{s},Data:map[string][]byte{a: [104 117 110],},Type:Opaque,}: "no"',
        "refused &Secret{...}",
      ],
      [
        'Secret "s" is invalid: data[a]: Invalid value: "hunter2": wrong',
        'Secret "s" is invalid: data[a]: Invalid value: {...}: wrong',
      ],
    ] as const
  ) assert.equal(messageText(message), shown);
});

Deno.test("a refusal of another kind that mentions Secrets hides data, and one of a kind of a custom kind hides objects", () => {
  for (
    const [message, shown] of [
      [
        'ConfigMap "secret-a" is invalid: data[a]: Invalid value: "hunter2": wrong',
        'ConfigMap "secret-a" is invalid: data[a]: Invalid value: {...}: wrong',
      ],
      [
        'Pod "a" is invalid: metadata.annotations: Invalid value: "{\\"kind\\":\\"Secret\\",\\"data\\":{' +
        '\\"a\\":\\"hunter2\\"}}": wrong',
        'Pod "a" is invalid: metadata.annotations: Invalid value: "{\\"kind\\":\\"Secret\\",\\"data\\":' +
        '{...}}": wrong',
      ],
      [
        'VaultSecret.example.org "a" is invalid: spec: Invalid value: {"password":"hunter2"}: wrong',
        'VaultSecret.example.org "a" is invalid: spec: Invalid value: {...}: wrong',
      ],
      [
        'Database.example.org "a" is invalid: spec: Invalid value: {"secret":"hunter2"}: wrong',
        'Database.example.org "a" is invalid: spec: Invalid value: {...}: wrong',
      ],
      [
        'Vault.secrets.example.org "a" is invalid: spec: Invalid value: {"password":"hunter2"}: wrong',
        'Vault.secrets.example.org "a" is invalid: spec: Invalid value: {...}: wrong',
      ],
      [
        'denied the request: Pod "a" is invalid: the Secret is {"password":"hunter2"}',
        'denied the request: Pod "a" is invalid: the Secret is {...}',
      ],
      ['refused []interface {}{"hunter2"} of a Secret', "refused []interface {}{...}"],
      ["the Secret has a[0]{1234}", "the Secret has a[0]{...}"],
    ] as const
  ) assert.equal(messageText(message), shown);
});

Deno.test("a text without data is shown as it is, also of a Secret", () => {
  for (
    const message of [
      'Secret "s" is invalid: data: Forbidden: field is immutable when `immutable` is set',
      'Secret "s" is invalid: data[a b]: Required value',
      'secrets "s" is forbidden: User "jane" cannot get resource "secrets" in API group ""',
      'roles "r" is forbidden: not held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
      'Secret in version "v1" cannot be handled as a Secret: json: cannot unmarshal string into Go ' +
      "struct field Secret.stringData of type map[string]string",
      'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 4',
      '.spec.replicas: expected numeric (int or float), got &value.valueUnstructured{Value:"x"}',
      "denied the request: spec.data: must not be empty",
      "unable to read data: unexpected EOF; the CA bundle has no certificate",
      "validation error: metadata for data: label team is required. rule check-team failed",
      'Deployment.apps "web" is invalid: spec.template.metadata.labels: Invalid value: {"a":"b"}: wrong',
      'Service "secret-a" is invalid: spec.ports[1]: Duplicate value: {"port":80,"protocol":"TCP"}',
      'Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"secrets"}}: ' +
      "field is immutable",
      "failed to create typed patch object (d/secret-a; apps/v1, Kind=Deployment): .spec.replicas: " +
      'expected numeric (int or float), got &value.valueUnstructured{Value:"x"}',
      'Secret "s" is invalid: metadata.labels: Invalid value: {}: label team is required',
      "denied the request: the name of a Secret must match ^[a-z]([-a-z]{0,61}[a-z]){3}$, see the policy",
      "json: cannot unmarshal string into Go value of type map[string]interface {}; is it a Secret?",
    ]
  ) assert.equal(messageText(message), message);
});
