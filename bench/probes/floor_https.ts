// A GET with the client certificate by node:https, which trusts the cluster's root certificate
// only, as this library's transport does.
import { Buffer } from "node:buffer";
import https from "node:https";
import { floorConfig } from "./floor_config.ts";

/** Requests a path of the API server and returns the parsed JSON, by `node:https` alone. */
export async function getJson<T>(path: string): Promise<T> {
  const { server, ...tls } = await floorConfig();
  return await new Promise((resolve) => {
    https.get(server + path, tls, (answer) => {
      const chunks: Uint8Array[] = [];
      answer.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      answer.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    });
  });
}
