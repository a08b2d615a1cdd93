/** The text that Deno prints of an error which a user's program does not catch. */
import assert from "node:assert/strict";

/** The user's calls, each on one line of a program of its own. */
const CALLS: Record<string, string> = {
  get: `await client.get(Pod, "default/web");`,
  list: `await client.list(Pod);`,
  "a later page of a list": `for await (const page of client.pages(Pod, { limit: 1 })) void page;`,
  watch: `for await (const event of client.watch(Pod)) void event;`,
  "the error of a watch event":
    `for await (const { error } of client.watch(Pod, last)) throw error;`,
  patch: `await client.patch(Pod, "default/web", mergePatch({}));`,
  request: `await client.request({ path: "/refused" });`,
  requestJson: `await client.requestJson({ path: "/refused" });`,
  evictPod: `await evictPod(client, "default/web");`,
  "a scoped client": `await withFieldOwner(dryRunOnly(client), "me").update(Pod, web);`,
  "a server that cannot be reached": `await client.requestJson({ path: "/unreachable" });`,
};

/** Returns a program that makes one call, whose server refuses it. */
function program(call: string): string {
  const of = (path: string): string => JSON.stringify(import.meta.resolve(path));
  return `
import { createClient, dryRunOnly, evictPod, mergePatch, withFieldOwner } from ${of("../mod.ts")};
import { Pod } from ${of("../../doors/meta.ts")};

const refusal = { kind: "Status", apiVersion: "v1", reason: "Forbidden", code: 403, message: "no" };
const page = { apiVersion: "v1", kind: "PodList", metadata: { continue: "next" }, items: [] };
const fetch = ({ url }: Request): Promise<Response> => {
  const { pathname, searchParams } = new URL(url);
  if (pathname === "/unreachable") return Promise.reject(new TypeError("connection refused"));
  if (searchParams.get("limit") === "1" && !searchParams.has("continue")) {
    return Promise.resolve(Response.json(page));
  }
  if (searchParams.get("resourceVersion") === "1") {
    return Promise.resolve(new Response(JSON.stringify({ type: "ERROR", object: refusal }) + "\\n"));
  }
  return Promise.resolve(Response.json(refusal, { status: 403 }));
};
const client = createClient({ server: "https://a.example" }, { fetch });
const last = { resourceVersion: "1" };
const web = { metadata: { namespace: "default", name: "web" } };

async function main() {
  ${call}
}

void [evictPod, mergePatch, withFieldOwner, dryRunOnly, web, last];
await main();
`;
}

for (const [what, call] of Object.entries(CALLS)) {
  Deno.test(`an uncaught error is printed with the user's line first: ${what}`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const file = `${folder}/users_program.ts`;
      await Deno.writeTextFile(file, program(call));
      const config = new URL("../../../deno.json", import.meta.url).pathname;
      const { code, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          "run",
          "--quiet",
          "--no-check",
          "--no-lock",
          "--allow-all",
          "--config",
          config,
          file,
        ],
        env: { NO_COLOR: "1" },
      }).output();
      assert.equal(code, 1);
      const text = new TextDecoder().decode(stderr);
      assert.match(text, /^error: Uncaught .*(?:ApiError: no|UnreachableError: Cannot reach)/);
      const [first] = /^ {4}at .*$/m.exec(text) ?? [];
      const line = program(call).split("\n").indexOf(`  ${call}`) + 1;
      assert.match(
        first ?? "",
        new RegExp(`at async main \\(.*/users_program\\.ts:${line}:`),
        text,
      );
      assert.doesNotMatch(text.split("Caused by:")[0]!, /lib\/client\//);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}
