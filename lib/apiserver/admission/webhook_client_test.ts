import assert from "node:assert/strict";
import { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
import { CertificateAuthority } from "@xca/apimachinery/pki";
import { HttpsServer } from "@xca/apimachinery/serving";
import { webhookClient } from "./webhook_client.ts";

/** The source of a program that calls a webhook without a `caBundle` and prints the outcome. */
const PROGRAM = `
  import { webhookClient } from ${JSON.stringify(import.meta.resolve("./webhook_client.ts"))};
  const call = webhookClient({ get: () => undefined });
  const request = { clientConfig: { url: Deno.args[0] }, review: {}, timeoutSeconds: 30 };
  console.log(await call(request).then(JSON.stringify, (error) => error.message));
`;

/**
 * Returns the output of the webhook-calling program, run under the permissions of the command line,
 * and `flags`.
 */
async function called(url: string, ...flags: string[]): Promise<string> {
  const permissions = ["--allow-net", "--allow-read", "--allow-env"];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-lock", ...permissions, ...flags, "-", url],
    ...{ stdin: "piped", stdout: "piped", stderr: "piped" },
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(PROGRAM));
  await input.close();
  const { stdout, stderr } = await child.output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

Deno.test("a webhook without a caBundle is verified by the machine's roots without more permissions", async () => {
  const authority = await CertificateAuthority.create("ca", new Date());
  await using server = await HttpsServer.listen({
    certificate: await authority.serving("localhost", ["localhost"], []),
    handler: () => Promise.resolve(Response.json({ kind: "AdmissionReview" })),
  });
  const url = `https://localhost:${server.port}/x`;
  assert.match(await called(url), /certificate signed by unknown authority\n$/);
  const file = await Deno.makeTempFile({ suffix: ".pem" });
  try {
    await Deno.writeTextFile(file, authority.cert);
    assert.equal(await called(url, `--cert=${file}`), '{"kind":"AdmissionReview"}\n');
  } finally {
    await Deno.remove(file);
  }
});

Deno.test("the timeout of a webhook limits the call as a whole, with a response without end", async () => {
  const authority = await CertificateAuthority.create("ca", new Date());
  const begun = Promise.withResolvers<void>();
  await using server = await HttpsServer.listen({
    certificate: await authority.serving("localhost", ["localhost"], []),
    handler: () => {
      const body = new ReadableStream({
        pull(controller) {
          controller.enqueue(new Uint8Array(1024));
          begun.resolve();
        },
      });
      return Promise.resolve(new Response(body));
    },
  });
  const clock = new FakeClock();
  const call = webhookClient({ get: () => undefined }, clock);
  const url = `https://localhost:${server.port}/x`;
  const called = call({
    clientConfig: { url, caBundle: btoa(authority.cert) },
    review: {},
    timeoutSeconds: 10,
  });
  const refused = assert.rejects(called, {
    message: `Post "${url}?timeout=10s": context deadline exceeded`,
  });
  await begun.promise;
  await clock.advance(10_000);
  await refused;
});
