/**
 * Some lists and maps are encoded as `null` if they are absent. These tests check that the server
 * accepts them in objects that it stores.
 */
import assert from "node:assert/strict";
import { EVERY_KIND, type KindTrial } from "../../tests/conformance/kinds/every_kind_bodies.ts";
import { isMap } from "@xca/apimachinery/internal/values";
import type { ApiResource } from "./machinery/resource.ts";
import { ResourceTable } from "./resources/resource_table.ts";
import { ApiServer } from "./server.ts";
import type { BuiltinType } from "./types/builtin_type.ts";

/**
 * Yields the paths to all values of a built-in type that can be `null`: field names, `[]` into a
 * list and `{}` into a map.
 */
function* waysToNull(
  type: BuiltinType,
  way: readonly string[] = [],
  above: readonly string[] = [],
): Generator<readonly string[]> {
  if (type.items) yield* waysToNull(type.items, [...way, "[]"], above);
  if (type.values) yield* waysToNull(type.values, [...way, "{}"], above);
  if (above.includes(type.id)) return;
  for (const [name, field] of Object.entries(type.fields ?? {})) {
    if (way.length === 0 && name === "metadata") continue;
    const next = [...way, name];
    const isEmpty = field.shape === "list" || field.shape === "map" || field.shape === "bytes";
    if (!field.omitAbsent && !field.omitEmpty && (isEmpty || field.pointer)) yield next;
    yield* waysToNull(field, next, [...above, type.id]);
  }
}

/** Returns a copy of a value with a field path added, and `null` at its end. */
function withNull(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return null;
  if (step === "[]") return [withNull(Array.isArray(value) ? value[0] : undefined, rest)];
  const fields = isMap(value) ? value : {};
  const name = step === "{}" ? "a" : step;
  return { ...fields, [name]: withNull(fields[name], rest) };
}

type Plain = Record<string, unknown>;

/** A trial of one kind: minimal objects of it with `null` in them, and the server's responses. */
class Tried {
  readonly #server: ApiServer;
  readonly #path: string;
  readonly #apiVersion: string;
  readonly #trial: KindTrial;
  readonly #row: ApiResource;

  constructor(server: ApiServer, trial: KindTrial) {
    const { apiVersion, resource, namespaced } = trial;
    const [version = "", group = ""] = apiVersion.split("/").reverse();
    const root = group === "" ? `/api/${version}` : `/apis/${apiVersion}`;
    this.#server = server;
    this.#trial = trial;
    this.#apiVersion = apiVersion;
    this.#row = ResourceTable.builtin().find(group, version, resource)!;
    this.#path = `${root}${namespaced ? "/namespaces/default" : ""}/${resource}`;
  }

  /** Returns the paths to `null` at which the server fails, with its messages. */
  async failures(): Promise<string[]> {
    const failures: string[] = [];
    const [first, other] = ["a-1", "b-2"].map((run) => this.#trial.name?.(run) ?? run);
    await this.#fails("POST", "", this.#object(first!));
    const hasStatus = this.#row.subresources.some(({ name }) => name === "status");
    for (const way of waysToNull(this.#row.schema() as BuiltinType)) {
      for (
        const [method, place, name] of [
          ["POST", "", other!],
          ["PUT", `/${first}`, first!],
          ...(hasStatus ? [["PUT", `/${first}/status`, first!] as const] : []),
        ] as const
      ) {
        for (const object of [this.#object(name), this.#object(name, {})]) {
          const message = await this.#fails(method, `${place}?dryRun=All`, withNull(object, way));
          if (message) {
            failures.push(`${method} ${this.#path}${place} ${way.join(".")}: ${message}`);
          }
        }
      }
    }
    return failures;
  }

  #object(name: string, fields: Plain = this.#trial.body(name, "default")): Plain {
    return { apiVersion: this.#apiVersion, kind: this.#row.kind, ...fields, metadata: { name } };
  }

  async #fails(method: string, place: string, body: unknown): Promise<string | undefined> {
    const answer = await this.#server.fetch(
      new Request(`https://server.invalid${this.#path}${place}`, {
        method,
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json" },
      }),
    );
    const { code, message } = await answer.json();
    return code === 500 ? message : undefined;
  }
}

Deno.test("a null list does not make a validation throw", async () => {
  using server = await ApiServer.start({ controllers: false });
  const failures: string[] = [];
  for (const trial of EVERY_KIND) failures.push(...await new Tried(server, trial).failures());
  assert.deepEqual(failures, []);
});
