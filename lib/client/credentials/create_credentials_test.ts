import assert from "node:assert/strict";
import { configErrorOf, FakeHost } from "../../../tests/kubeconfig/fake_host.ts";
import { FakeClock } from "../../testing/fake_clock.ts";
import type { ClientConfig } from "../config/config.ts";
import { createCredentials } from "./create_credentials.ts";

const TOKEN_FILE: Pick<ClientConfig, "credentials"> = { credentials: { tokenFile: "/t" } };

/** Returns the value of the `Authorization` header among pairs of headers. */
function authorization(headers: readonly (readonly [string, string])[]): string | undefined {
  return headers.find(([name]) => name === "Authorization")?.[1];
}

Deno.test("without credentials there are no headers, and a 401 is not retried", async () => {
  const credentials = createCredentials({});
  assert.deepEqual(await credentials.headers(), []);
  assert.equal(await credentials.onUnauthorized([]), false);
});

Deno.test("a token is sent as a bearer token, and not renewed after a 401", async () => {
  const credentials = createCredentials({ credentials: { token: "abc" } });
  const sent = await credentials.headers();
  assert.deepEqual(sent, [["Authorization", "Bearer abc"]]);
  assert.equal(await credentials.onUnauthorized(sent), false);
});

Deno.test("user name and password are sent as UTF-8 in base64", async () => {
  const credentials = createCredentials({
    credentials: { username: "j\u00fcrgen", password: "p:1" },
  });
  assert.deepEqual(await credentials.headers(), [["Authorization", "Basic asO8cmdlbjpwOjE="]]);
});

Deno.test("a token with a password, and a token that a header cannot contain, are refused without showing them", () => {
  for (const bearer of [{ token: "s3cret" }, { tokenFile: "/t" }]) {
    assert.throws(
      () => createCredentials({ credentials: { ...bearer, username: "me" } }),
      /^ConfigError: Cannot send both a bearer token and a user name with a password/,
    );
  }
  assert.throws(
    () => createCredentials({ credentials: { token: "s3cret\r\nX: y" } }),
    (error: Error) => /line break/.test(error.message) && !error.message.includes("s3cret"),
  );
});

Deno.test("F52 a token file is read on first use, and again when its token is a minute old", async () => {
  const clock = new FakeClock();
  const host = new FakeHost({ files: { "/t": "one\n" } });
  const credentials = createCredentials(TOKEN_FILE, { clock, host });
  assert.deepEqual(host.reads, []);
  assert.equal(authorization(await credentials.headers()), "Bearer one");
  host.files.set("/t", "two");
  clock.step(59_999);
  assert.equal(authorization(await credentials.headers()), "Bearer one");
  assert.equal(host.reads.length, 1);
  clock.step(1);
  assert.equal(authorization(await credentials.headers()), "Bearer two");
  assert.equal(host.reads.length, 2);
});

Deno.test("concurrent requests share one read of the token file", async () => {
  const host = new FakeHost({ files: { "/t": "one" } });
  const credentials = createCredentials(TOKEN_FILE, { clock: new FakeClock(), host });
  await Promise.all(Array.from({ length: 50 }, () => credentials.headers()));
  assert.equal(host.reads.length, 1);
});

Deno.test("F52 a 401 reads the token file at once, and is retried only with another token", async () => {
  const host = new FakeHost({ files: { "/t": "one" } });
  const credentials = createCredentials(TOKEN_FILE, { clock: new FakeClock(), host });
  const first = await credentials.headers();
  assert.equal(await credentials.onUnauthorized(first), false);
  host.files.set("/t", "two");
  assert.equal(await credentials.onUnauthorized(first), true);
  const second = await credentials.headers();
  assert.equal(authorization(second), "Bearer two");
  assert.equal(await credentials.onUnauthorized(second), false);
});

Deno.test("F52 two requests that are refused with the old token are both retried with the new one", async () => {
  const host = new FakeHost({ files: { "/t": "one" } });
  const credentials = createCredentials(TOKEN_FILE, { clock: new FakeClock(), host });
  const sent = await credentials.headers();
  host.files.set("/t", "two");
  assert.equal(await credentials.onUnauthorized(sent), true);
  assert.equal(await credentials.onUnauthorized(sent), true);
});

Deno.test("F52 while the token file cannot be read the last token is kept, and the file is read again after 10 s", async () => {
  const clock = new FakeClock();
  const host = new FakeHost({ files: { "/t": "one" } });
  const credentials = createCredentials(TOKEN_FILE, { clock, host });
  await credentials.headers();
  for (const broken of [new Error("gone"), "", "two\nlines"]) {
    host.files.set("/t", broken);
    clock.step(60_000);
    assert.equal(authorization(await credentials.headers()), "Bearer one");
  }
  const reads = host.reads.length;
  host.files.set("/t", "two");
  clock.step(9_999);
  assert.equal(authorization(await credentials.headers()), "Bearer one");
  assert.equal(host.reads.length, reads);
  clock.step(1);
  assert.equal(authorization(await credentials.headers()), "Bearer two");
});

Deno.test("an unreadable token file: the token beside it is used, otherwise the error names the path", async () => {
  const host = new FakeHost();
  const clock = new FakeClock();
  const alone = createCredentials(TOKEN_FILE, { clock, host });
  assert.match(
    await configErrorOf(alone.headers()),
    /^Cannot read token file \/t: there is no such/,
  );
  const both = createCredentials({ credentials: { token: "inline", tokenFile: "/t" } }, {
    clock,
    host,
  });
  assert.equal(authorization(await both.headers()), "Bearer inline");
  host.files.set("/t", "from-file");
  clock.step(10_000);
  assert.equal(authorization(await both.headers()), "Bearer from-file");
});

Deno.test("impersonation: groups and extras repeat, extra names are percent-encoded, values are UTF-8", async () => {
  const credentials = createCredentials({
    credentials: { token: "t" },
    impersonate: {
      user: "j\u00fcrgen",
      uid: "7",
      groups: ["a", "b, c"],
      extra: { "acme.com/project id%": ["x", "y"], "\u00fc": ["z"] },
    },
  });
  assert.deepEqual(await credentials.headers(), [
    ["Authorization", "Bearer t"],
    ["Impersonate-User", "j\u00c3\u00bcrgen"],
    ["Impersonate-Uid", "7"],
    ["Impersonate-Group", "a"],
    ["Impersonate-Group", "b, c"],
    ["Impersonate-Extra-acme.com%2Fproject%20id%25", "x"],
    ["Impersonate-Extra-acme.com%2Fproject%20id%25", "y"],
    ["Impersonate-Extra-%C3%BC", "z"],
  ]);
  for (const [name, value] of await credentials.headers()) new Headers([[name, value]]);
});

Deno.test("impersonation without a user, or with control characters, is refused", () => {
  for (const impersonate of [{ groups: ["g"] }, { uid: "1" }, { extra: { a: ["b"] } }]) {
    assert.throws(() => createCredentials({ impersonate }), /without a user: name the user too/);
  }
  assert.throws(
    () => createCredentials({ impersonate: { user: "a\r\nX-Evil: 1" } }),
    /Cannot send Impersonate-User: its value has control characters/,
  );
});
