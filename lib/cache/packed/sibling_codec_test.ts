import assert from "node:assert/strict";
import { printedRandom } from "../../../tests/support/seed.ts";
import type { Random } from "@xca/apimachinery/base";
import { SiblingCodec } from "./sibling_codec.ts";

/** Returns a pod-like test object: much in common with others, and some values of its own. */
function sibling(random: Random, i: number): unknown {
  const containers = ["app", "proxy"].map((name) => ({
    name,
    image: `registry.example.com/teams/${name}:1.${i % 30}.0`,
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    env: ["POD_IP", "NODE_NAME", "LOG_LEVEL"].map((name) => ({ name, value: `value of ${name}` })),
    resources: { limits: { cpu: "500m", memory: "512Mi" }, requests: { cpu: "100m" } },
    terminationMessagePath: "/dev/termination-log",
    imagePullPolicy: "IfNotPresent",
  }));
  return {
    metadata: { name: `web-${i}`, uid: random.uuid(), resourceVersion: String(1_000 + i) },
    spec: {
      containers,
      restartPolicy: "Always",
      nodeName: `node-${Math.floor(random.next() * 300)}`,
    },
    status: { phase: "Running", podIP: `10.1.${i % 256}.${Math.floor(random.next() * 256)}` },
  };
}

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

Deno.test("SiblingCodec: every text is decoded as it was encoded, whatever came before and after it", () => {
  const { seed, random } = printedRandom();
  const codec = new SiblingCodec();
  const texts = Array.from({ length: 400 }, (_, i) => {
    const kind = random.next();
    if (kind < 0.7) return encode(sibling(random, i));
    if (kind < 0.8) return encode({ data: "x".repeat(Math.floor(random.next() * 100_000)) });
    if (kind < 0.9) return encode({ data: Array.from({ length: 2_000 }, () => random.next()) });
    return encode({ metadata: { name: `n-${i}` } });
  });
  const kept = texts.map((text) => new Uint8Array(codec.encode(text)));
  for (const [i, text] of texts.entries()) {
    assert.deepEqual(new Uint8Array(codec.decode(kept[i]!)), text, `seed=${seed} i=${i}`);
  }
});

Deno.test("SiblingCodec: related texts take a fifth of their size, even if the first is unlike the others", () => {
  const codec = new SiblingCodec();
  const { random } = printedRandom();
  codec.encode(encode({ metadata: { name: "unlike" } }));
  let [kept, whole] = [0, 0];
  for (let i = 0; i < 1_000; i++) {
    const text = encode(sibling(random, i));
    whole += text.length;
    kept += codec.encode(text).length;
  }
  assert.ok(kept < whole / 5, `${kept} of ${whole} bytes`);
});

Deno.test("SiblingCodec: a text that resembles no other is deflated", () => {
  const codec = new SiblingCodec();
  codec.encode(encode({ a: 1 }));
  const words = Array.from({ length: 300 }, (_, i) => (i * 7_919 % 10_007).toString(36));
  const text = encode(words.join(" "));
  assert.ok(codec.encode(text).length < text.length * 0.9);
});
