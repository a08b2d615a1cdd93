/**
 * The embedded API server as a program, for {@linkcode EmbeddedPlane}: its argument is the path of
 * the configuration file. It runs until it is killed, and keeps its data in a file.
 *
 * @module
 */
import {
  ApiFront,
  ApiServer,
  type PeerFetch,
  type ServerKeys,
} from "../../../lib/apiserver/mod.ts";
import { withoutWatchList } from "./without_watch_list.ts";

/** The contents of the configuration file. */
export interface EmbeddedPlaneSettings {
  readonly port: number;
  readonly keys: ServerKeys;
  /** The data file of the cluster. */
  readonly data: string;
  /** The file of the audit log. */
  readonly audit?: string;
  /** Reports whether watches support `sendInitialEvents`. */
  readonly watchList: boolean;
}

if (import.meta.main) await serve(JSON.parse(Deno.readTextFileSync(Deno.args[0]!)));

async function serve(settings: EmbeddedPlaneSettings): Promise<void> {
  const { port, keys, data, audit, watchList } = settings;
  const log = audit && Deno.openSync(audit, { create: true, append: true });
  const encoder = new TextEncoder();
  const server = await ApiServer.start({
    // The real control plane of the tests has none either.
    controllers: false,
    serviceAccountKey: keys.signingKey,
    data,
    ...(log && { audit: (line: string) => void log.writeSync(encoder.encode(line)) }),
  });
  const fetch: PeerFetch = (request, peer) => server.fetch(request, peer);
  await ApiFront.listen({ keys, port, fetch: watchList ? fetch : withoutWatchList(fetch) });
}
