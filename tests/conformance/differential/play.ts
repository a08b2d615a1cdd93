/**
 * Plays a sequence on one server: its operations, and then watches from past revisions.
 *
 * @module
 */
import { dump, load } from "js-yaml";
import type { Send } from "../target.ts";
import { Target, type WatchEvent } from "../target.ts";
import { type Exchange, normalise } from "../normalise.ts";
import { CUSTOM_DEFINITION, CUSTOM_KIND, CUSTOM_KIND_BETA } from "./custom.ts";
import { BUILTIN_KINDS, type RandomKind } from "./kinds.ts";
import { collection, type Operation } from "./operations.ts";

/** All kinds on which the random sequences of requests operate. */
export const KINDS: readonly RandomKind[] = [...BUILTIN_KINDS, CUSTOM_KIND, CUSTOM_KIND_BETA];

/** A watch at the end of a sequence. */
export interface PastWatch {
  /** The URL path of the collection, in the notation of {@linkcode Operation}. */
  readonly path: string;
  /** From the version that this operation answered with; absent: from now. */
  readonly since?: number;
  readonly query: Readonly<Record<string, string>>;
  /** `Accept`, where it is not JSON. */
  readonly accept?: string;
}

/** The sequence and the server that it runs on. */
export interface Sequence {
  readonly operations: readonly Operation[];
  readonly watches: readonly PastWatch[];
}

/** Matches an age in tables. */
const AGE = /^(\d+[ydhms])+$/;

/** Installs the custom resource, unless it is there. */
export async function prepare(target: Target): Promise<void> {
  const unrecorded = { unrecorded: true };
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const { code, body } = await target.patch(
    "apply",
    `${path}/widgets.differential.example.com?fieldManager=test&force=true`,
    CUSTOM_DEFINITION,
    unrecorded,
  );
  if (code >= 300) throw new Error(`Cannot install the custom resource: ${JSON.stringify(body)}`);
  for (const { apiVersion } of [CUSTOM_KIND, CUSTOM_KIND_BETA]) {
    const list = `/apis/${apiVersion}/namespaces/default/widgets`;
    while ((await target.get(`${list}?limit=1`, unrecorded)).code !== 200);
    await target.untilCached(list);
  }
}

/** Plays a sequence in a namespace of its own and gives what was answered, normalised. */
export async function play(
  server: Target["server"],
  send: Send,
  sequence: Sequence,
): Promise<Exchange[]> {
  const target = new Target(server, send, crypto.randomUUID().slice(0, 8));
  target.managedFields = true;
  const player = new Player(target);
  await target.post("/api/v1/namespaces", { metadata: { name: target.namespace } }, {
    unrecorded: true,
  });
  await player.run(sequence);
  // The addresses of services are few.
  await target.delete(target.path("services"), undefined, { unrecorded: true });
  return normalise(target.exchanges, target);
}

/** Plays within a case whose namespace exists. */
export class Player {
  readonly #target: Target;
  readonly #run: string;
  readonly #versions = new Map<string, string>();
  readonly #uids = new Map<string, string>();
  readonly #continues = new Map<string, string>();
  #first = "";

  constructor(target: Target) {
    this.#target = target;
    this.#run = target.unique("r", "run");
    target.random = true;
    // A picture of the difference for people.
    target.mask(/(may not change fields other than [^\n]*)\n[^]*/g, "$1<diff>");
    // A whole object in the real server's order of fields.
    target.mask(/Invalid value: "\{(?:[^"\\]|\\.)*\}"/g, 'Invalid value: "<object>"');
    // The innermost map that it met first, in no order.
    target.mask(/(unknown patch type: \w+ in map): [^]*/g, "$1: <map>");
    // The first thing that it met in a map that has no order.
    target.mask(/("map\[[^]*\]"): [^]*/g, "$1: <what>");
    // An address that was picked and given to nobody; another may have had it before.
    target.mask(/(failed to allocate IP: IPAddress\S* \\?")[\d.]+/g, "$1<address>");
    // A version in a map that is shown.
    target.mask(/(\bresourceVersion:)\d+/g, "$1<version>");
    // A name that the server made.
    target.mask(/\bgen-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, "gen-<random>");
    // The real server lists some of them, in any order.
    target.mask(/(failed to create typed patch object \([^)]*\)): [^]*/g, "$1: <errors>");
  }

  /** The operations, then the watches. */
  async run({ operations, watches }: Sequence): Promise<void> {
    const own = `/api/v1/namespaces/${this.#target.namespace}`;
    const { body } = await this.#target.get(own, { unrecorded: true });
    this.#first = body.metadata.resourceVersion;
    for (const operation of operations) await this.#send(operation);
    await this.#endMarks(watches);
    for (const watch of watches) await this.#watch(watch);
  }

  async #send(operation: Operation): Promise<void> {
    const { id, client, method, path, query = {}, type, body, accept } = operation;
    await this.#untilFresh(method, path, query);
    const search = new URLSearchParams(this.#filled(query) as Record<string, string>);
    const url = this.#text(path) + (search.size > 0 ? `?${search}` : "");
    const filled = body === undefined ? undefined : this.#filled(body);
    await this.#target.call(method, url, operation.yaml ? dump(filled) : filled, {
      ...(type && { type }),
      headers: {
        "User-Agent": `client-${client}/1.0`,
        ...(accept && { Accept: accept }),
      },
    });
    this.#note(String(id), this.#answer(accept === "application/yaml")?.metadata);
  }

  /** The last response; YAML is parsed, so that it can be normalized. */
  #answer(isYaml: boolean): AnyBody | undefined {
    const { exchanges } = this.#target;
    const last = exchanges.at(-1)!;
    if (typeof last.body === "string" && /^\w+:( |$)/.test(last.body) && isYaml) {
      exchanges[exchanges.length - 1] = { ...last, body: load(last.body) };
    }
    const body = exchanges.at(-1)!.body as AnyBody | undefined;
    if (body) hideAges(body);
    return body;
  }

  /** A read that may be stale is made once the server has seen all there is. */
  async #untilFresh(
    method: string,
    path: string,
    { resourceVersion }: Readonly<Record<string, string>>,
  ): Promise<void> {
    if (method !== "GET" || resourceVersion === undefined) return;
    const kind = KINDS.find((each) => path.startsWith(collection(each)));
    if (!kind) return;
    const list = async (query: string): Promise<string> => {
      const url = `${this.#text(collection(kind))}?limit=1${query}`;
      return (await this.#target.get(url, { unrecorded: true })).body.metadata.resourceVersion;
    };
    await list(`&resourceVersion=${await list("")}&resourceVersionMatch=NotOlderThan`);
  }

  #note(id: string, metadata: Metadata | undefined): void {
    const { resourceVersion, uid } = metadata ?? {};
    if (metadata?.continue) this.#continues.set(id, metadata.continue);
    // A list's version depends on what others write.
    if (uid === undefined) return;
    if (resourceVersion) this.#versions.set(id, resourceVersion);
    this.#uids.set(id, uid);
  }

  /** One last object in each watched collection: the watches end when they see it. */
  async #endMarks(watches: readonly PastWatch[]): Promise<void> {
    for (const path of new Set(watches.map((each) => each.path))) {
      const kind = KINDS.find((each) => collection(each) === path)!;
      await this.#target.post(this.#text(path), {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        metadata: {
          name: kind.namespaced ? "end" : `end-${this.#run}`,
          labels: { app: "web", "xca-run": this.#run },
        },
        ...this.#filled(kind.plain) as object,
      }, { unrecorded: true, headers: { "User-Agent": "end/1.0" } });
    }
  }

  async #watch({ path, since, query, accept }: PastWatch): Promise<void> {
    const version = since === undefined
      ? undefined
      : this.#versions.get(String(since)) ?? this.#first;
    const search = new URLSearchParams({
      watch: "true",
      timeoutSeconds: "30",
      ...this.#filled(query) as Record<string, string>,
      ...(version !== undefined && { resourceVersion: version }),
    });
    const isEnd = (event: WatchEvent): boolean =>
      event.type === "ERROR" ||
      (query.sendInitialEvents ? event.type === "BOOKMARK" : isMark(event));
    const { exchanges } = this.#target;
    // What there is is told from a cache.
    if (query.sendInitialEvents) await this.#untilFresh("GET", path, { resourceVersion: "0" });
    // A server that has just heard of a kind has no watches of it yet.
    do {
      if (exchanges.at(-1)?.code === 429) exchanges.pop();
      await this.#target.watch(
        `${this.#text(path)}?${search}`,
        (events) => events.some(isEnd),
        { headers: { ...(accept && { Accept: accept }) } },
      );
    } while (exchanges.at(-1)!.code === 429);
    this.#answer(accept === "application/yaml");
    const { code, body } = exchanges.at(-1)!;
    if (code === 200) { for (const { object } of body as WatchEvent[]) hideAges(object); }
  }

  #filled(value: unknown): unknown {
    return JSON.parse(this.#text(JSON.stringify(value)));
  }

  #text(text: string): string {
    return text
      .replaceAll("<namespace>", this.#target.namespace)
      .replaceAll("<run>", this.#run)
      .replace(/<version of (\d+)>/g, (_, id) => this.#versions.get(id) ?? this.#first)
      .replace(/<uid of (\d+)>/g, (_, id) => this.#uids.get(id) ?? "none")
      .replace(/<continue of (\d+)>/g, (_, id) => this.#continues.get(id) ?? "");
  }
}

/** Reports whether an event contains a last object, in full or as the row of a table. */
function isMark({ object }: WatchEvent): boolean {
  const { metadata } = object.rows?.[0]?.object ?? object;
  return /^end(-|$)/.test(metadata?.name ?? "");
}

/** The prose of columns is nothing that the embedded server has, and ages grow. */
function hideAges({ columnDefinitions, rows }: AnyBody): void {
  for (const column of columnDefinitions ?? []) delete column.description;
  for (const { cells } of rows ?? []) {
    for (const [index, cell] of cells.entries()) {
      if (typeof cell === "string" && AGE.test(cell)) cells[index] = "<age>";
    }
  }
}

interface AnyBody {
  readonly metadata?: Metadata;
  readonly columnDefinitions?: { description?: string }[];
  readonly rows?: { cells: unknown[] }[];
}

interface Metadata {
  readonly resourceVersion?: string;
  readonly uid?: string;
  readonly continue?: string;
}
