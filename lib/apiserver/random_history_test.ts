/**
 * Applies random writes, and compares lists and watches: a watch from any listed state must lead to
 * the state of a later list.
 */
import assert from "node:assert/strict";
import { canonicalJson } from "@xca/apimachinery/internal/values";
import { Chance } from "./random_values_test.ts";
import { FOOS, PatientServer } from "./server_fakes_test.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const NAMES = ["a", "b", "c"];
const SELECTOR = "labelSelector=shown%3Dyes";
const STEPS = 30;

interface Item {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

/** The state of a collection at a resource version: its objects by name. */
interface State {
  readonly version: string;
  readonly objects: ReadonlyMap<string, string>;
}

class History {
  readonly #server: PatientServer;
  readonly #chance: Chance;
  readonly #path: string;
  /** The number of events that all watches of the test have received. */
  events: number = 0;

  constructor(server: PatientServer, chance: Chance, path: string) {
    this.#server = server;
    this.#chance = chance;
    this.#path = path;
  }

  /** Sends a random write to the server, which may refuse it. */
  async write(): Promise<void> {
    const chance = this.#chance;
    const name = chance.pick(NAMES);
    const labels = { shown: chance.pick(["yes", "no"]) };
    const isFoo = this.#path === FOOS;
    const kind = isFoo
      ? { apiVersion: "example.com/v1", kind: "Foo" }
      : { apiVersion: "v1", kind: "ConfigMap" };
    const finalizers = chance.happens(0.2) ? { finalizers: ["example.com/x"] } : {};
    const fields = isFoo ? { spec: chance.json(2) } : { data: { k: chance.pick(["1", "2"]) } };
    const body = { ...kind, metadata: { name, labels, ...finalizers }, ...fields };
    const [one, dry] = [`${this.#path}/${name}`, chance.happens(0.1) ? "&dryRun=All" : ""];
    const merge = { type: "application/merge-patch+json" };
    const apply = { type: "application/apply-patch+yaml", body };
    await chance.pick([
      () => this.#server.send("POST", `${this.#path}?x=1${dry}`, { body }),
      () => this.#server.send("PATCH", `${one}?fieldManager=m&force=true${dry}`, apply),
      () => this.#server.send("PATCH", one, { ...merge, body: { metadata: { labels } } }),
      () => this.#server.send("PATCH", one, { ...merge, body: { metadata: { finalizers: null } } }),
      () => this.#server.send("PUT", `${one}?x=1${dry}`, { body }),
      () => this.#server.send("DELETE", `${one}?x=1${dry}`),
      () => this.#server.send("DELETE", `${this.#path}?${SELECTOR}${dry}`),
    ])();
  }

  async list(query: string): Promise<State> {
    const objects = new Map<string, string>();
    let [token, version] = ["", ""];
    do {
      const { code, body } = await this.#server.send("GET", `${this.#path}?${query}${token}`);
      assert.equal(code, 200, canonicalJson(body));
      for (const item of body.items as Item[]) {
        const { apiVersion: _1, kind: _2, ...rest } = item as Item & Record<string, unknown>;
        objects.set(item.metadata.name, canonicalJson(rest));
      }
      version = body.metadata.resourceVersion;
      token = body.metadata.continue ? `&continue=${body.metadata.continue}` : "";
    } while (token !== "");
    return { version, objects };
  }

  /**
   * Returns the state that the events of a watch lead to, from an earlier state up to a resource
   * version.
   */
  async replayed({ version, objects }: State, query: string, until: string): Promise<State> {
    const from = `watch=1&resourceVersion=${version}&allowWatchBookmarks=true&timeoutSeconds=1`;
    const answer = await this.#server.fetch(
      new Request(`https://server.invalid${this.#path}?${from}&${query}`),
    );
    assert.equal(answer.status, 200);
    const seen = new Map(objects);
    let last = Number(version);
    for (const line of (await this.#server.textOf(answer)).split("\n").filter(Boolean)) {
      const { type, object } = JSON.parse(line);
      const { apiVersion: _1, kind: _2, ...rest } = object;
      const { name, resourceVersion } = object.metadata;
      assert.ok(Number(resourceVersion) >= last, `${resourceVersion} comes after ${last}`);
      last = Number(resourceVersion);
      if (type === "BOOKMARK") continue;
      this.events++;
      assert.equal(type === "ADDED", !seen.has(name), `${type} ${name}`);
      if (type === "DELETED") seen.delete(name);
      else seen.set(name, canonicalJson(rest));
    }
    return { version: until, objects: seen };
  }
}

Deno.test("a list plus a watch from any version gives the state of a later list", async () => {
  let events = 0;
  await Chance.runs(3, async (chance) => {
    using server = await PatientServer.start();
    const path = chance.pick([CONFIG_MAPS, FOOS]);
    const history = new History(server, chance, path);
    const queries = ["", SELECTOR, "fieldSelector=metadata.name%3Da"];
    const past: { readonly query: string; readonly state: State }[] = [];
    for (let step = 0; step < STEPS; step++) {
      await history.write();
      const query = chance.pick(queries);
      past.push({ query, state: await history.list(`${query}&limit=${chance.below(3)}`) });
    }
    for (const { query, state } of past) {
      const now = await history.list(query);
      const exact = `resourceVersion=${state.version}&resourceVersionMatch=Exact`;
      assert.deepEqual(await history.list(`${query}&${exact}`), state);
      const { objects } = await history.replayed(state, query, now.version);
      assert.deepEqual(new Map([...objects].sort()), new Map([...now.objects].sort()));
    }
    events += history.events;
  });
  assert.ok(events > 100, `only ${events} events`);
});
