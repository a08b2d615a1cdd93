import assert from "node:assert/strict";
import { Pod } from "@xca/apimachinery/meta";
import { createClient } from "../create_client.ts";
import { dynamicClient } from "../dynamic_client.ts";
import { DecodeError } from "../errors/decode_error.ts";
import { listTable } from "../subresources/table.ts";
import type { Client } from "./client.ts";

const LISTS: Record<string, (client: Client) => Promise<unknown>> = {
  "list()": (client) => client.list(Pod),
  "pages()": (client) => Array.fromAsync(client.pages(Pod)),
  "list() of the dynamic client": (client) =>
    dynamicClient(client).resource({ group: "", version: "v1", plural: "pods" }).list(),
  "listTable()": (client) => listTable(client, Pod),
};

for (const [name, list] of Object.entries(LISTS)) {
  Deno.test(`F09 a server that names the same page again ends a list with an error: ${name}`, async () => {
    for (const named of [["same"], ["one", "other"]]) {
      let asked = 0;
      const fetch = (request: Request): Promise<Response> => {
        const metadata = { resourceVersion: "1", continue: named[asked++ % named.length] };
        const isTable = request.headers.get("accept")?.includes("Table");
        return Promise.resolve(Response.json(
          isTable
            ? { kind: "Table", metadata, columnDefinitions: [], rows: [] }
            : { kind: "PodList", apiVersion: "v1", metadata, items: [] },
        ));
      };
      using client = createClient({ server: "https://a.example" }, { fetch });
      await assert.rejects(list(client), (error) => {
        assert.ok(error instanceof DecodeError);
        assert.match(
          error.message,
          /^Cannot list all pages of GET \/api\/v1\/pods: the server names the same next page twice/,
        );
        return true;
      });
      assert.equal(asked, named.length + 1);
    }
  });
}
