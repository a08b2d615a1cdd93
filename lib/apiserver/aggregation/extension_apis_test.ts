import assert from "node:assert/strict";
import { API } from "./api_service_fakes_test.ts";
import { ExtensionApis } from "./extension_apis.ts";

/** Extension APIs with one APIService, whose server sends the given response. */
class AnsweredApis extends ExtensionApis {
  readonly #response: Response;

  constructor(response: Response) {
    super({ get: () => undefined, list: () => [API] as never });
    this.#response = response;
  }

  override answer(): Promise<Response> {
    return Promise.resolve(this.#response);
  }
}

async function versionShownFor(response: Response): Promise<unknown> {
  const { items } = await new AnsweredApis(response).documents();
  return (items[0] as unknown as { readonly versions: readonly unknown[] }).versions[0];
}

Deno.test("a version of an extension API is current only with a successful discovery", async () => {
  const resources = [{ name: "things", kind: "Thing", namespaced: true, verbs: ["get"] }];
  const list = { kind: "APIResourceList", apiVersion: "v1", groupVersion: "ext/v1", resources };
  const shown = await versionShownFor(Response.json(list)) as {
    readonly resources: readonly { readonly resource: string }[];
  };
  assert.deepEqual(shown.resources.map(({ resource }) => resource), ["things"]);
  const stale = { version: "v1", freshness: "Stale" };
  for (
    const response of [
      Response.json({ kind: "Status", code: 403 }, { status: 403 }),
      Response.json(list, { status: 500 }),
      Response.json(list, { status: 201 }),
      Response.json({ kind: "Status", status: "Failure" }),
      new Response("no JSON"),
    ]
  ) assert.deepEqual(await versionShownFor(response), stale);
});
