/**
 * Starts a control plane, prints what a crash would leave behind as one line of JSON, and waits to
 * be killed. For control_plane_test.ts.
 */
import { ControlPlane } from "../../lib/testing/plane/control_plane.ts";

await using plane = await ControlPlane.start();
const line = JSON.stringify({ ...plane.pids, dir: plane.dir }) + "\n";
await Deno.stdout.write(new TextEncoder().encode(line));
await new Promise(() => setInterval(() => {}, 60_000));
