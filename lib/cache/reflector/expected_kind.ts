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
 * object that lacks either passes. So does an item of a list that does not begin with them: most
 * servers write them in no item, and a search would read all of it.
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
   * Checks that a raw object is of the expected kind. Allocates nothing if it is, since it is
   * called for every object.
   *
   * @throws {DecodeError} If the object is of another kind.
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
