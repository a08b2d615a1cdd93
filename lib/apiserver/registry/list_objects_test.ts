import assert from "node:assert/strict";
import { StatusError } from "../machinery/status_error.ts";
import { listOptions } from "../request/list_options.ts";
import { ResourceTable } from "../resources/resource_table.ts";
import { RevisionLog } from "../storage/revision_log.ts";
import { collectionName } from "../machinery/keys.ts";
import { listObjects, type Page } from "./list_objects.ts";
import { Selection } from "./selection.ts";

const configMaps = ResourceTable.builtin().find("", "v1", "configmaps")!;

/** A log of ConfigMaps, and lists of it. */
class Lists {
  readonly log: RevisionLog = new RevisionLog();
  readonly #collection = this.log.collection(collectionName(configMaps));

  put(name: string, labels: Record<string, string> = {}): number {
    const resourceVersion = String(this.log.nextRevision);
    const metadata = { name, namespace: "a", labels, resourceVersion };
    const object = { kind: "ConfigMap", apiVersion: "v1", metadata };
    return this.log.put(this.#collection, `a/${name}`, JSON.stringify(object)).revision;
  }

  async list(query: string): Promise<Page> {
    const options = listOptions(new URLSearchParams(query));
    const selection = Selection.of(configMaps, "a", options);
    return await listObjects(this.log, this.#collection, configMaps, selection, options);
  }
}

const names = ({ items }: Page): string => items.map(({ key }) => key.slice(2)).join(" ");

async function refused(list: Promise<Page>): Promise<StatusError> {
  const error = await list.then(() => undefined, (error) => error);
  assert.ok(error instanceof StatusError);
  return error;
}

Deno.test("pages together show one state, whatever is written between", async () => {
  const lists = new Lists();
  for (const name of ["a", "b", "c", "d", "e"]) lists.put(name);
  const seen: string[] = [];
  let token = "";
  do {
    const page = await lists.list(`limit=2&continue=${token}`);
    seen.push(names(page));
    token = page.continueToken;
    lists.put("bb");
    lists.put("c", { changed: "yes" });
  } while (token !== "");
  assert.deepEqual(seen, ["a b", "c d", "e"]);
});

Deno.test("a token of a state that is compacted is answered with one that goes on", async () => {
  const lists = new Lists();
  for (const name of ["a", "b", "c"]) lists.put(name);
  const { continueToken } = await lists.list("limit=1");
  lists.put("d");
  lists.log.compact(lists.log.revision);
  const { code, reason, status } = await refused(
    lists.list(`limit=1&continue=${continueToken}`),
  );
  assert.equal(code, 410);
  assert.equal(reason, "Expired");
  const rest = await lists.list(`continue=${status.metadata.continue}`);
  assert.equal(names(rest), "b c d");
  assert.equal(rest.revision, lists.log.revision);
});

Deno.test("a state that is compacted, and one that is not there yet", async () => {
  const lists = new Lists();
  const old = lists.put("a");
  lists.put("b");
  lists.log.compact(lists.log.revision);
  const exact = await refused(lists.list(`resourceVersion=${old}&resourceVersionMatch=Exact`));
  assert.equal(exact.code, 410);
  const future = await refused(lists.list(`resourceVersion=${lists.log.revision + 1}`));
  assert.equal(future.code, 504);
  assert.equal(future.status.details?.retryAfterSeconds, 1);
});

Deno.test("selected pages do not say how many are left", async () => {
  const lists = new Lists();
  for (const [name, app] of [["a", "x"], ["b", "y"], ["c", "x"], ["d", "x"]] as const) {
    lists.put(name, { app });
  }
  const page = await lists.list("limit=2&labelSelector=app%3Dx");
  assert.equal(names(page), "a c");
  assert.notEqual(page.continueToken, "");
  assert.equal(page.remainingItemCount, undefined);
  const whole = await lists.list("limit=2");
  assert.equal(whole.remainingItemCount, 2);
});

Deno.test("version 0 takes no limit, and one name is one object", async () => {
  const lists = new Lists();
  for (const name of ["a", "b", "c"]) lists.put(name);
  assert.equal(names(await lists.list("limit=1&resourceVersion=0")), "a b c");
  assert.equal(names(await lists.list("fieldSelector=metadata.name%3Db")), "b");
  assert.equal(names(await lists.list("fieldSelector=metadata.name%3Dnone")), "");
  assert.equal(names(await lists.list("fieldSelector=metadata.namespace!%3Da")), "");
  assert.equal(names(await lists.list("fieldSelector=metadata.namespace%3Da")), "a b c");
  assert.equal(names(await lists.list("fieldSelector=metadata.namespace%3Db")), "");
  const twice = "metadata.name%3Da,metadata.name%3Db";
  assert.equal(names(await lists.list(`fieldSelector=${twice}`)), "");
  const page = await lists.list("limit=1&fieldSelector=metadata.namespace%3Da");
  assert.equal(page.remainingItemCount, undefined);
});
