import { ControlPlane } from "@xca/operator/testing";
import { Xca, xcaCrd, xtlsCrd } from "@xca/operator/xca";
import { PodMaker } from "./realistic_pods.ts";

const NAMESPACES = 40;
const WRITERS = 16;
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const XCAS = "/apis/apps.xca.k8s.kb.cx/v1beta1/namespaces/default/xcas";

/** A real kube-apiserver with realistic pods and the kinds of the Xca operator, for benches. */
export class RealCluster implements AsyncDisposable {
  readonly #plane: ControlPlane;
  readonly #pods: readonly string[];
  /** The mean size of a pod's JSON, in bytes. */
  readonly podBytes: number;
  #changes = 0;

  private constructor(plane: ControlPlane, pods: readonly string[], podBytes: number) {
    this.#plane = plane;
    this.#pods = pods;
    this.podBytes = podBytes;
  }

  /**
   * Starts the cluster, installs the kinds of the Xca operator, and writes the given number of
   * pods, once.
   *
   * @throws {ControlPlaneUnavailable} When the programs are not on this machine.
   */
  static async start(pods: number): Promise<RealCluster> {
    const plane = await ControlPlane.start();
    try {
      for (const crd of [xcaCrd, xtlsCrd]) await send(plane, "POST", CRDS, crd);
      await served(plane);
      const { paths, bytes } = await createPods(plane, pods);
      return new RealCluster(plane, paths, bytes / Math.max(1, pods));
    } catch (error) {
      await plane[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The path of the kubeconfig by which programs connect to the cluster. */
  get kubeconfig(): string {
    return this.#plane.kubeconfigPath;
  }

  /** The path of the cluster's folder, which is removed when the cluster is disposed. */
  get dir(): string {
    return this.#plane.dir;
  }

  /** Changes the given number of pods, round robin, at a rate per second. */
  async changePods(count: number, perSecond: number): Promise<void> {
    await paced(count, perSecond, async () => {
      const change = ++this.#changes;
      const body = { metadata: { annotations: { "bench/change": String(change) } } };
      const path = this.#pods[change % this.#pods.length]!;
      await send(this.#plane, "PATCH", path, body, "application/merge-patch+json");
    });
  }

  /** Removes all Xca objects from the cluster. */
  async removeXcas(): Promise<void> {
    await send(this.#plane, "DELETE", XCAS);
  }

  /**
   * Creates the given number of Xca objects at a rate per second, or with the rate `Infinity` as
   * fast as sixteen writers can.
   */
  async createXcas(count: number, perSecond: number): Promise<void> {
    const { apiVersion, kind } = Xca;
    const create = async (i: number): Promise<void> => {
      const object = { apiVersion, kind, metadata: { name: `x-${i}` }, spec: { foo: "bench" } };
      await send(this.#plane, "POST", XCAS, object);
    };
    if (perSecond !== Infinity) return await paced(count, perSecond, create);
    let next = 0;
    const writer = async (): Promise<void> => {
      while (next < count) await create(next++);
    };
    await Promise.all(Array.from({ length: WRITERS }, writer));
  }

  /**
   * Creates Xca objects as {@linkcode RealCluster.createXcas} does. Resolves when all are active,
   * with the times from when a watch of the bench saw each until it saw it active, in milliseconds,
   * sorted.
   */
  async activations(count: number, perSecond: number): Promise<number[]> {
    const { active } = await this.watchActive(count);
    await this.createXcas(count, perSecond);
    return await active;
  }

  /**
   * Watches the Xca objects from now on, until the given number of them became active. `active` has
   * the times from when the watch saw each until it saw it active, in milliseconds, sorted; an
   * object that exists before the watch has none.
   */
  async watchActive(count: number): Promise<{ readonly active: Promise<number[]> }> {
    const { metadata } = JSON.parse(await send(this.#plane, "GET", `${XCAS}?limit=1`));
    const taken: number[] = [];
    const added = new Map<string, number>();
    const done = new Set<string>();
    const stop = new AbortController();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const watch = await this.#plane.fetch(
      `${XCAS}?watch=1&resourceVersion=${metadata.resourceVersion}`,
      { signal: stop.signal },
    );
    eachLine(watch.body!, (line) => {
      const { type, object } = JSON.parse(line);
      const { name } = object.metadata;
      if (type === "ADDED") added.set(name, performance.now());
      if (!object.status?.active || done.has(name)) return;
      done.add(name);
      const addedMs = added.get(name);
      if (addedMs !== undefined) taken.push(performance.now() - addedMs);
      if (done.size === count) resolve();
    }).catch(reject);
    const sorted = async (): Promise<number[]> => {
      await promise;
      stop.abort();
      return taken.sort((a, b) => a - b);
    };
    return { active: sorted() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#plane[Symbol.asyncDispose]();
  }
}

/** Resolves when the server serves the operator's kinds. */
async function served(plane: ControlPlane): Promise<void> {
  for (const path of [XCAS, XCAS.replace(/xcas$/, "xtls")]) {
    for (;;) {
      const response = await plane.fetch(path);
      await response.body?.cancel();
      if (response.ok) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** Starts `work` at a rate per second; resolves when all calls have ended. */
async function paced(
  count: number,
  perSecond: number,
  work: (i: number) => Promise<void>,
): Promise<void> {
  const startMs = performance.now();
  const running: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    const waitMs = startMs + i * 1000 / perSecond - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    running.push(work(i));
  }
  await Promise.all(running);
}

async function eachLine(
  body: ReadableStream<Uint8Array>,
  onLine: (line: string) => void,
): Promise<void> {
  let rest = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of body) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop()!;
      lines.forEach(onLine);
    }
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
  }
}

/**
 * Creates pods as a cluster has them: each is created without a status, which a second request
 * writes.
 */
async function createPods(
  plane: ControlPlane,
  count: number,
): Promise<{ readonly paths: readonly string[]; readonly bytes: number }> {
  for (let i = 0; i < NAMESPACES; i++) {
    await send(plane, "POST", "/api/v1/namespaces", { metadata: { name: `team-${i}` } });
  }
  const maker = new PodMaker();
  const paths: string[] = [];
  let bytes = 0;
  const writer = async (): Promise<void> => {
    while (paths.length < count) {
      const { metadata, spec, status } = maker.pod(paths.length, 1);
      const { name, namespace, labels, annotations, ownerReferences } = metadata;
      const path = `/api/v1/namespaces/${namespace}/pods`;
      paths.push(`${path}/${name}`);
      const created = { name, labels, annotations, ownerReferences };
      const pod = { apiVersion: "v1", kind: "Pod", metadata: created, spec };
      const text = await send(plane, "POST", path, pod);
      const whole = { ...JSON.parse(text), status };
      const written = await send(plane, "PUT", `${path}/${name}/status`, whole);
      bytes += written.length;
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return { paths, bytes };
}

async function send(
  plane: ControlPlane,
  method: string,
  path: string,
  body?: unknown,
  type: string = "application/json",
): Promise<string> {
  const response = await plane.fetch(path, {
    method,
    headers: { "content-type": type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`${method} ${path} was answered by ${response.status}: ${text}`);
  }
  return text;
}
