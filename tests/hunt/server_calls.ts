import type { ApiServer } from "../../lib/apiserver/mod.ts";

/** An object as JSON has it. */
export type Json = Record<string, unknown>;

/**
 * Sends a request to a server and reads the whole answer.
 *
 * @throws {Error} When the answer is a refusal other than `expected`.
 */
export async function send(
  server: ApiServer,
  method: string,
  path: string,
  body?: unknown,
  contentType = "application/json",
  expected?: number,
): Promise<void> {
  const request = new Request(`https://x${path}`, {
    method,
    ...(body !== undefined && {
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": contentType },
    }),
  });
  const answer = await server.fetch(request);
  if (answer.status < 400 || answer.status === expected) {
    for await (const _ of answer.body ?? []);
    return;
  }
  const text = await answer.text();
  throw new Error(`Cannot ${method} ${path}: ${answer.status}: ${text.slice(0, 500)}`);
}

/** Returns the results of `make` for the numbers below `count`. */
export function list<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Texts that begin alike and end with a number. */
export function strings(count: number, prefix: string): string[] {
  return list(count, (index) => `${prefix}${index}`);
}

/** A definition of a namespaced kind of the group `hunt.example.org` with one version. */
export function crd(plural: string, schema: Json): Json {
  const kind = plural[0]!.toUpperCase() + plural.slice(1);
  const group = "hunt.example.org";
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** Creates ConfigMaps in the namespace `default`, each with the label `number`. */
export async function manyConfigMaps(server: ApiServer, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const labels = { number: String(i), app: `app-${i % 100}` };
    await send(server, "POST", "/api/v1/namespaces/default/configmaps", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `c${i}`, labels },
      data: { text: "some text" },
    });
  }
}

/** Waits until a path is served, as that of a new definition is after a while. */
export async function untilServed(server: ApiServer, path: string): Promise<void> {
  for (;;) {
    const answer = await server.fetch(new Request(`https://x${path}`));
    await answer.body?.cancel();
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
