import assert from "node:assert/strict";
import { systemClock } from "@xca/apimachinery/base";
import { LoopShare } from "@xca/apimachinery/internal/base";
import { StatusError } from "@xca/apimachinery/internal/errors";
import { listOptions } from "../../request/list_options.ts";
import { ResourceTable } from "../../resources/resource_table.ts";
import { RevisionLog } from "../../storage/revision_log.ts";
import { collectionName } from "../../machinery/keys.ts";
import { listObjects, type Page } from "./list_objects.ts";
import { Selection } from "./selection.ts";

const configMaps = ResourceTable.builtin().find("", "v1", "configmaps")!;

/** A storage with ConfigMaps for tests of lists. */
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
    return await listObjects(
      this.log,
      this.#collection,
      configMaps,
      selection,
      options,
      new LoopShare().begin(),
    );
  }
}

const names = ({ items }: Page): string => items.map(({ key }) => key.slice(2)).join(" ");

async function refused(list: Promise<Page>): Promise<StatusError> {
  const error = await list.then(() => undefined, (error) => error);
  assert.ok(error instanceof StatusError);
  return error;
}

Deno.test("the pages of a list show one state despite concurrent writes", async () => {
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

Deno.test("a continue token of a compacted revision is refused with a token that continues", async () => {
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

Deno.test("a list of a compacted or a future revision is refused", async () => {
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

Deno.test("pages of a selected list have no remaining item count", async () => {
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

Deno.test("a list at version 0 ignores the limit, and a list of one name has one object", async () => {
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

Deno.test("a field selector compares the field's value only", async () => {
  const secrets = ResourceTable.builtin().find("", "v1", "secrets")!;
  const log = new RevisionLog();
  const collection = log.collection(collectionName(secrets));
  const put = (name: string, rest: Record<string, unknown>): void => {
    const metadata = { name, namespace: "a", resourceVersion: String(log.nextRevision) };
    const object = { kind: "Secret", apiVersion: "v1", metadata, ...rest };
    log.put(collection, `a/${name}`, JSON.stringify(object));
  };
  put("a", { type: "Opaque" });
  put("b", { type: "x/y", data: { key: "Opaque" } });
  put("c", { type: "7", data: { true: "" } });
  put("d", {});
  const selected = async (fields: string): Promise<string> => {
    const options = listOptions(new URLSearchParams({ fieldSelector: fields }));
    const selection = Selection.of(secrets, "a", options);
    return names(
      await listObjects(log, collection, secrets, selection, options, new LoopShare().begin()),
    );
  };
  assert.equal(await selected("type=Opaque"), "a");
  assert.equal(await selected("type!=Opaque"), "b c d");
  assert.equal(await selected("type=x/y"), "b");
  assert.equal(await selected("type=7"), "c");
  assert.equal(await selected("type="), "d");
  assert.equal(await selected("type=none"), "");
  assert.equal(await selected("type=true"), "");
});

Deno.test("a list with a selector over many objects yields to other requests and shows one state", async () => {
  const lists = new Lists();
  for (let number = 0; number < 50; number++) lists.put(`o${number}`, { app: "x" });
  const revision = lists.log.revision;
  let ms = 0;
  let turns = 0;
  const clock = {
    ...systemClock,
    monotonicMs: () => ms += 1,
    after: (_: number, callback: () => void) => {
      turns++;
      lists.put(`later${turns}`, { app: "x" });
      return systemClock.after(0, callback);
    },
  };
  const options = listOptions(new URLSearchParams("labelSelector=app%3Dx"));
  const selection = Selection.of(configMaps, "a", options);
  const collection = lists.log.collection(collectionName(configMaps));
  const page = await listObjects(
    lists.log,
    collection,
    configMaps,
    selection,
    options,
    new LoopShare(clock).begin(),
  );
  assert.equal(page.items.length, 50);
  assert.equal(page.revision, revision);
  assert(turns > 3, `${turns} turns`);
});

Deno.test("a list by an indexed label has the same pages as one without an index", async () => {
  const lists = new Lists();
  for (let number = 0; number < 600; number++) {
    lists.put(`o${String(number).padStart(3, "0")}`, { app: `a${number % 200}`, odd: "yes" });
  }
  assert.equal(names(await lists.list("labelSelector=app=a7")), "o007 o207 o407");
  assert.equal(
    names(await lists.list("labelSelector=app in (a7,a8),odd=yes")),
    "o007 o008 o207 o208 o407 o408",
  );
  lists.put("o007", { app: "a8" });
  lists.put("o009", { app: "a7" });
  lists.put("new", { app: "a7" });
  assert.equal(names(await lists.list("labelSelector=app=a7")), "new o009 o207 o407");
  assert.equal(names(await lists.list("labelSelector=app=none")), "");
  const first = await lists.list("labelSelector=app=a7&limit=2");
  assert.equal(names(first), "new o009");
  const second = await lists.list(`labelSelector=app=a7&limit=2&continue=${first.continueToken}`);
  assert.equal(names(second), "o207 o407");
  assert.notEqual(second.continueToken, "", "there are further objects, though none is selected");
  const third = await lists.list(`labelSelector=app=a7&limit=2&continue=${second.continueToken}`);
  assert.deepEqual([names(third), third.continueToken], ["", ""]);
});
