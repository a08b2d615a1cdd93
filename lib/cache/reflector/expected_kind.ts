import { MemberCursor, skipSpace, spells, stringAt } from "@xca/apimachinery/internal/base";
import { storedAs } from "@xca/apimachinery/internal/meta";
import type { ResourceType } from "@xca/apimachinery/meta";
import { DecodeError } from "../../client/errors/decode_error.ts";
import type { RawObject } from "../../client/decode/raw_event.ts";

const encoder = new TextEncoder();
const KIND = encoder.encode("kind");
const API_VERSION = encoder.encode("apiVersion");
const cursor = new MemberCursor();

/** The origin of a raw object: the items of a list, or an event of a watch. */
export type ObjectOrigin = "list" | "event";

/**
 * A check that raw objects from a server are of one kind, by their `kind` and `apiVersion`. An
 * object that lacks either, or whose text is malformed, passes. So does an item of a list whose
 * first two members are not `kind` and `apiVersion`: most servers write neither in items, and a
 * search would read the whole item.
 */
export class ExpectedKind {
  readonly #type: Pick<ResourceType, "id" | "kind" | "apiVersion">;
  readonly #kind: Uint8Array;
  readonly #apiVersion: Uint8Array;

  constructor(type: ResourceType) {
    const { kind, apiVersion } = storedAs(type);
    this.#type = { id: type.id, kind, apiVersion };
    this.#kind = encoder.encode(JSON.stringify(kind));
    this.#apiVersion = encoder.encode(JSON.stringify(apiVersion));
  }

  /**
   * Throws unless a raw object is of the expected kind or its kind is not known. Usually allocates
   * nothing if the object passes, since the check runs for every object.
   *
   * @throws {DecodeError} If the object has another `kind` or `apiVersion`.
   */
  check(raw: RawObject, origin: ObjectOrigin): void {
    let kindAt = 0;
    let kindEnd = 0;
    let versionAt = 0;
    let versionEnd = 0;
    cursor.enter(raw, skipSpace(raw, 0, raw.length), raw.length);
    while ((kindAt === 0 || versionAt === 0) && cursor.nextKey()) {
      const { at } = cursor;
      const isKind = cursor.keyIs(KIND, "kind");
      const isOther = !isKind && !cursor.keyIs(API_VERSION, "apiVersion");
      if (isOther && origin === "list") return;
      if (!cursor.skipValue()) return;
      if (isOther) continue;
      if (isKind) {
        kindAt = at;
        kindEnd = cursor.at;
      } else {
        versionAt = at;
        versionEnd = cursor.at;
      }
    }
    if (
      spells(raw, kindAt, kindEnd, this.#kind) &&
      spells(raw, versionAt, versionEnd, this.#apiVersion)
    ) return;
    const kind = stringAt(raw, kindAt, kindEnd);
    const apiVersion = stringAt(raw, versionAt, versionEnd);
    const type = this.#type;
    if (kind === undefined || apiVersion === undefined) return;
    if (kind === type.kind && apiVersion === type.apiVersion) return;
    throw new DecodeError(
      `Cannot store an object among ${type.id}: it is a ${kind} of ${apiVersion}, ` +
        `not a ${type.kind} of ${type.apiVersion}`,
    );
  }
}
