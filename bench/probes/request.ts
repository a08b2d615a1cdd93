// A program that sends requests to an API server in one of four ways, by lines of standard input:
//   gets <path> <count>   GETs one object `count` times, one after the other
//   list <path> <limit>   lists once, in pages of `limit`, or in one answer if that is 0
// Arguments: the way, and the file of a kubeconfig. Each line is answered by one line of figures.
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import https from "node:https";
import { createClient, createTransport, loadConfig } from "@xca/operator/client";
import { type KubeList, type KubeObject, resourceType } from "@xca/operator/meta";
import { TextLineStream } from "../support/text_lines.ts";
import { cpuMs } from "./figures.ts";

/** The functions by which one HTTP client reads from the server; they parse every result. */
interface Way {
  readonly get: (path: string) => Promise<KubeObject>;
  readonly page: (pathAndQuery: string) => Promise<KubeList<KubeObject>>;
  /**
   * Lists all objects by one call; without this function, the bench reads the list page by page.
   */
  readonly list?: (limit: number) => Promise<KubeList<KubeObject>>;
}

const Pod = resourceType({ group: "", version: "v1", kind: "Pod", plural: "pods" });
const [way = "", kubeconfig = ""] = Deno.args;
const config = await loadConfig({ kubeconfig });
const { caData = "", certData = "", keyData = "" } = config.tls ?? {};

/** Returns the read functions of this library's client, as users call it. */
function ours(): Way {
  const client = createClient(config);
  return {
    get: (path) => client.get(Pod, `default/${path.split("/").at(-1)}`),
    page: (path) => client.requestJson({ path }),
    list: (limit) => client.list(Pod, { namespace: "default", limit }),
  };
}

/** Returns read functions that use this library's transport without the client above it. */
function transport(): Way {
  const { fetch } = createTransport(config);
  const read = async <T>(path: string): Promise<T> => {
    const request = new Request(config.server + path, { headers: { accept: "application/json" } });
    return JSON.parse(await (await fetch(request)).text());
  };
  return { get: read, page: read };
}

/** Returns read functions that use Node's HTTP client with nothing above it. */
function node(): Way {
  const agent = new https.Agent({
    ...{ keepAlive: true, ca: caData, cert: certData, key: keyData },
    scheduling: "lifo",
  });
  const read = <T>(path: string): Promise<T> =>
    new Promise((resolve, reject) => {
      const onAnswer = (answer: IncomingMessage): void => {
        const chunks: Uint8Array[] = [];
        answer.on("data", (chunk: Uint8Array) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
      };
      const headers = { accept: "application/json" };
      https.request(config.server + path, { agent, headers }, onAnswer).on("error", reject).end();
    });
  return { get: read, page: read };
}

/** Returns read functions that use the runtime's `fetch`. */
function bareFetch(): Way {
  const client = Deno.createHttpClient({
    ...{ caCerts: [caData], cert: certData, key: keyData },
    http2: false,
  });
  // This fetch asks for gzip by itself, as the client does; the server compresses responses over
  // 128 KB.
  const headers = { accept: "application/json" };
  const read = async <T>(path: string): Promise<T> =>
    JSON.parse(await (await fetch(config.server + path, { client, headers })).text());
  return { get: read, page: read };
}

const WAYS: Record<string, () => Way> = { ours, transport, node, fetch: bareFetch };
const { get, page, list } = WAYS[way]!();

async function gets(path: string, count: number): Promise<Record<string, number>> {
  const took: number[] = [];
  const startCpuMs = cpuMs();
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    const object = await get(path);
    took.push(performance.now() - start);
    if (object.kind !== "Pod") throw new Error(`Cannot GET ${path} by ${way}: no pod came`);
  }
  const cpu = cpuMs() - startCpuMs;
  took.sort((a, b) => a - b);
  const at = (part: number): number => took[Math.floor(count * part)]! * 1000;
  return { cpuMs: cpu, p50Us: at(0.5), p99Us: at(0.99) };
}

async function lists(path: string, limit: number): Promise<Record<string, number>> {
  const [start, startCpuMs] = [performance.now(), cpuMs()];
  const items = list ? (await list(limit)).items : await pages(path, limit);
  return { cpuMs: cpuMs() - startCpuMs, wallMs: performance.now() - start, items: items.length };
}

async function pages(path: string, limit: number): Promise<KubeObject[]> {
  if (limit === 0) return (await page(path)).items;
  const items: KubeObject[] = [];
  for (let token: string | undefined = "";;) {
    const query = `?limit=${limit}` + (token ? `&continue=${encodeURIComponent(token)}` : "");
    const list = await page(path + query);
    for (const item of list.items) items.push(item);
    token = list.metadata.continue;
    if (!token) return items;
  }
}

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream()).pipeThrough(
  new TextLineStream(),
);
for await (const line of lines) {
  const [what, path = "", number = "0"] = line.split(" ");
  const figures = what === "gets"
    ? await gets(path, Number(number))
    : await lists(path, Number(number));
  // deno-lint-ignore no-console -- figures go to the bench
  console.log(JSON.stringify(figures));
}
Deno.exit(0);
