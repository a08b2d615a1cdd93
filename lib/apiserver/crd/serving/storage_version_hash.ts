import { createHash } from "node:crypto";

/**
 * Returns the hash that identifies the storage version of a resource in discovery: the first 8
 * bytes of the SHA-256 of group, version and kind, as base64
 * (`endpoints/discovery/storageversionhash.go, StorageVersionHash`).
 */
export function storageVersionHash(group: string, version: string, kind: string): string {
  const digest = createHash("sha256").update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString("base64");
}
