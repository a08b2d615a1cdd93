import { createHash } from "node:crypto";

/** Identifies the version in which objects are stored, in discovery: 8 bytes of a hash of its name. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  const digest = createHash("sha256").update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString("base64");
}
