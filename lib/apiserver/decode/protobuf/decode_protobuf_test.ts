import assert from "node:assert/strict";
import { seededRandom } from "@xca/apimachinery/base";
import { WireWriter } from "./wire_writer.ts";
import { decodeProtobuf, isProtobuf } from "./decode_protobuf.ts";
import { WireError } from "./wire_reader.ts";

/**
 * Returns an object in protobuf as a client sends it: the prefix, an envelope, and the message that
 * `write` writes.
 */
function enveloped(
  apiVersion: string,
  kind: string,
  write: (writer: WireWriter) => void,
): Uint8Array {
  const body = new WireWriter();
  body.message(1, (type) => {
    type.text(1, apiVersion);
    type.text(2, kind);
  });
  body.message(2, write);
  return new Uint8Array([0x6b, 0x38, 0x73, 0, ...body.bytes()]);
}

Deno.test("decodeProtobuf() returns the object's JSON value, without fields that Go leaves out when empty", () => {
  const bytes = enveloped("v1", "ConfigMap", (map) => {
    map.message(1, (meta) => {
      meta.text(1, "a");
      meta.text(2, "");
      meta.text(3, "shop");
      meta.integer(7, 0);
      meta.message(8, () => {});
      meta.message(11, (label) => {
        label.text(1, "x");
        label.text(2, "");
      });
    });
    map.message(2, (entry) => {
      entry.text(1, "__proto__");
      entry.text(2, "ü");
    });
    map.message(3, (entry) => {
      entry.text(1, "b");
      entry.text(2, "bytes");
    });
    map.integer(4, 0);
  });
  assert(isProtobuf(bytes));
  const tree = decodeProtobuf(bytes);
  assert.deepEqual(tree["metadata"], { name: "a", namespace: "shop", labels: { x: "" } });
  assert.deepEqual(Object.entries(tree["data"] as object), [["__proto__", "ü"]]);
  assert.deepEqual(tree["binaryData"], { b: btoa("bytes") });
  assert.equal(tree["immutable"], false); // A pointer, of which `false` is a value.
});

Deno.test("quantities, int-or-string values, times and inlined structs are decoded to their JSON form", () => {
  const bytes = enveloped("apps/v1", "Deployment", (object) => {
    object.message(
      1,
      (meta) => meta.message(9, (time) => time.integer(1, Date.UTC(2026, 0, 1) / 1000)),
    );
    object.message(2, (spec) => {
      spec.integer(1, 0);
      spec.message(3, (template) =>
        template.message(2, (pod) => {
          pod.message(1, (volume) => {
            volume.text(1, "v");
            volume.message(2, (source) => source.message(2, () => {}));
          });
          pod.message(2, (container) => {
            container.text(1, "c");
            container.message(8, (resources) =>
              resources.message(1, (limit) => {
                limit.text(1, "cpu");
                limit.message(2, (quantity) => quantity.text(1, "100m"));
              }));
          });
        }));
      spec.message(4, (strategy) =>
        strategy.message(2, (rolling) => {
          rolling.message(1, (share) => {
            share.integer(1, 1);
            share.text(3, "25%");
          });
          rolling.message(2, (count) => count.integer(2, 3));
        }));
    });
  });
  const tree = JSON.parse(JSON.stringify(decodeProtobuf(bytes)));
  assert.equal(tree.metadata.deletionTimestamp, "2026-01-01T00:00:00Z");
  assert.equal(tree.spec.replicas, 0);
  assert.deepEqual(tree.spec.strategy.rollingUpdate, { maxUnavailable: "25%", maxSurge: 3 });
  const [container] = tree.spec.template.spec.containers;
  assert.deepEqual(container.resources, { limits: { cpu: "100m" } });
  assert.equal(tree.spec.template.spec.volumes[0].name, "v");
});

Deno.test("a MicroTime is decoded with microseconds", () => {
  const seconds = Date.UTC(2026, 0, 1) / 1000;
  const lease = decodeProtobuf(enveloped("coordination.k8s.io/v1", "Lease", (object) => {
    object.message(1, (meta) => meta.message(8, (time) => time.integer(1, seconds)));
    object.message(2, (spec) =>
      spec.message(4, (time) => {
        time.integer(1, seconds);
        time.integer(2, 1_234_999);
      }));
  }));
  assert.deepEqual(lease["spec"], { renewTime: "2026-01-01T00:00:00.001234Z" });
});

Deno.test("webhooks and CEL rules are decoded under their JSON field names", () => {
  const configuration = decodeProtobuf(
    enveloped("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", (object) => {
      object.message(2, (webhook) => webhook.text(1, "a.example.org"));
    }),
  );
  assert.deepEqual(configuration["webhooks"], [{ name: "a.example.org" }]);
  const definition = decodeProtobuf(
    enveloped("apiextensions.k8s.io/v1", "CustomResourceDefinition", (object) => {
      object.message(2, (spec) =>
        spec.message(7, (version) => {
          version.text(1, "v1");
          version.message(4, (validation) =>
            validation.message(1, (schema) =>
              schema.message(44, (rule) => rule.text(1, "true"))));
        }));
    }),
  );
  const { versions: [version] } = definition["spec"] as { versions: Record<string, unknown>[] };
  assert.deepEqual(version!["schema"], {
    openAPIV3Schema: { "x-kubernetes-validations": [{ rule: "true" }] },
  });
});

Deno.test("unknown protobuf fields are skipped, and unknown kinds are refused", () => {
  const tree = decodeProtobuf(enveloped("v1", "Secret", (secret) => {
    secret.text(99, "later");
    secret.text(3, "Opaque");
  }));
  assert.equal(tree["type"], "Opaque");
  assert.throws(
    () => decodeProtobuf(enveloped("example.org/v1", "Thing", () => {})),
    /no kind "Thing" is registered for version "example.org\/v1"/,
  );
});

Deno.test("random bytes that are not a protobuf message are refused", () => {
  const seed = Number(Deno.env.get("XCA_SEED") ?? 1);
  const random = seededRandom(seed);
  const good = enveloped("v1", "ConfigMap", (map) => {
    map.message(1, (meta) => meta.text(1, "a".repeat(200)));
    map.message(2, (entry) => entry.text(1, "x"));
  });
  for (let round = 0; round < 2000; round++) {
    const bytes = good.slice(0, 4 + Math.floor(random.next() * (good.length - 4)));
    for (let times = 0; times < 3; times++) {
      const at = 4 + Math.floor(random.next() * (bytes.length - 4));
      if (at < bytes.length) bytes[at] = Math.floor(random.next() * 256);
    }
    try {
      decodeProtobuf(bytes);
    } catch (error) {
      assert(error instanceof WireError, `seed ${seed}, round ${round}: ${error}`);
    }
  }
});
