// Mirrors `controller/controller_utils.go, ComputeHash` and `util/rand/rand.go, SafeEncodeString`.
import type { V1PodTemplateSpec } from "@xca/apimachinery/kubernetes-types";

/**
 * The characters of an encoded hash: without vowels, which could form words, and without characters
 * that look alike.
 */
const ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

const encoder = new TextEncoder();

/**
 * Returns the hash of a pod template for names and labels. Equal templates have equal hashes, in
 * any order of fields. The hash differs from that of kube-controller-manager, which hashes the
 * printed Go value.
 */
export function templateHash(template: V1PodTemplateSpec, collisionCount = 0): string {
  const text = JSON.stringify([template, collisionCount], sortedFields);
  let hash = FNV_OFFSET;
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  return [...String(hash)].map((digit) => ALPHABET[digit.charCodeAt(0) % ALPHABET.length]).join("");
}

function sortedFields(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}
