/**
 * Functions that read and encode the names of subjects in DER, as `Name.ToRDNSequence` of Go's
 * `crypto/x509/pkix` encodes them.
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import { type Der, directoryString, objectIdentifier, sequence, setOf } from "./der.ts";
import { derValues } from "./der_reader.ts";

/**
 * A record of the object identifiers of name attributes, by the names of their fields in Go's
 * `pkix.Name`.
 */
export const ATTRIBUTE = {
  commonName: "2.5.4.3",
  serialNumber: "2.5.4.5",
  country: "2.5.4.6",
  locality: "2.5.4.7",
  province: "2.5.4.8",
  streetAddress: "2.5.4.9",
  organization: "2.5.4.10",
  organizationalUnit: "2.5.4.11",
  postalCode: "2.5.4.17",
} as const;

/** The object identifiers of the name attributes that may have several values, in Go's order. */
const SEVERAL = [
  ATTRIBUTE.country,
  ATTRIBUTE.organization,
  ATTRIBUTE.organizationalUnit,
  ATTRIBUTE.locality,
  ATTRIBUTE.province,
  ATTRIBUTE.streetAddress,
  ATTRIBUTE.postalCode,
];
/** The object identifiers of the name attributes of which the last value is used. */
const SINGLE = [ATTRIBUTE.commonName, ATTRIBUTE.serialNumber];

/**
 * Returns the values of an attribute of a name as texts. `name` is the content of the name's DER
 * sequence, without tag and length; `id` is the object identifier of the attribute, such as
 * `2.5.4.3`.
 */
export function attributesOf(name: Buffer, id: string): string[] {
  const wanted = derValues(objectIdentifier(id) as never)[0]!.content;
  return derValues(name).flatMap((set) => derValues(set.content))
    .map(({ content }) => derValues(content))
    .filter(([own]) => own!.content.equals(wanted))
    .map(([, value]) => value!.content.toString("utf8"));
}

/**
 * Returns a name in DER, its sequence with tag and length, encoded again as Go does: the values of
 * an attribute are one set, in Go's order of attributes; only the last common name and serial
 * number are kept, and other attributes than those of {@linkcode ATTRIBUTE} are left out.
 *
 * @param name the content of the name's DER sequence, without tag and length
 */
export function encodedName(name: Buffer): Der {
  const set = (id: string, values: readonly string[]): Der[] =>
    values.length === 0
      ? []
      : [setOf(...values.map((value) => sequence(objectIdentifier(id), directoryString(value))))];
  return sequence(
    ...SEVERAL.flatMap((id) => set(id, attributesOf(name, id))),
    ...SINGLE.flatMap((id) => set(id, attributesOf(name, id).slice(-1))),
  );
}
