import assert from "node:assert/strict";
import { join } from "node:path";
import type { ProjectFiles } from "../files/project_files.ts";
import { writeFiles } from "../files/write_files.ts";
import { ProjectError } from "../project.ts";
import { createApi, type CreateApiOptions } from "./create_api.ts";
import { createWebhook, type CreateWebhookOptions } from "./create_webhook.ts";
import { initProject } from "./init_project.ts";
import { insertLines } from "./insert_lines.ts";
import { kindNames, kindOfProject } from "./kind_names.ts";

/** The end of the temporary names of files. */
const TEMPORARY = /\.[0-9a-f]{8}\.xca-new$/;

/** Files in memory, of which one may fail to be created or renamed. */
class MemoryFiles implements ProjectFiles {
  readonly texts = new Map<string, string>();
  readonly folders = new Set<string>(["/"]);
  /** The call that fails, as `rename /p/operator.ts`. */
  failing = "";

  read(path: string): Promise<string | undefined> {
    return Promise.resolve(this.texts.get(path));
  }

  list(path: string): Promise<readonly string[]> {
    const below = [...this.texts.keys(), ...this.folders].filter((each) =>
      each.startsWith(`${path}/`)
    );
    return Promise.resolve([
      ...new Set(below.map((each) => each.slice(path.length + 1).split("/")[0]!)),
    ].sort());
  }

  makeFolder(path: string): Promise<readonly string[]> {
    const parts = path.split("/").filter(Boolean);
    const all = parts.map((_, at) => `/${parts.slice(0, at + 1).join("/")}`);
    const made = all.filter((each) => !this.folders.has(each));
    for (const each of made) this.folders.add(each);
    return Promise.resolve(made);
  }

  create(path: string, text: string): Promise<void> {
    if (this.texts.has(path)) return Promise.reject(new Deno.errors.AlreadyExists(path));
    return this.#attempt(
      `create ${path.replace(TEMPORARY, "")}`,
      () => void this.texts.set(path, text),
    );
  }

  rename(from: string, to: string): Promise<void> {
    return this.#attempt(`rename ${to}`, () => {
      this.texts.set(to, this.texts.get(from)!);
      this.texts.delete(from);
    });
  }

  remove(path: string): Promise<void> {
    if (!this.texts.delete(path) && !this.folders.delete(path)) {
      return Promise.reject(new Deno.errors.NotFound(path));
    }
    return Promise.resolve();
  }

  #attempt(call: string, work: () => void): Promise<void> {
    if (call === this.failing) return Promise.reject(new Error(`no room for ${call}`));
    work();
    return Promise.resolve();
  }
}

const { project, files: initial } = initProject("/p", { name: "shop", domain: "example.org" });

async function newProject(): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  await writeFiles("/p", initial, files);
  return files;
}

async function problemOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    assert(error instanceof ProjectError, String(error));
    assert(!error.message.includes("\n"), error.message);
    return error.message;
  }
  return "";
}

Deno.test("writeFiles() leaves everything as it was when any file cannot be written", async () => {
  const planned = [
    { path: "api/v1/order.ts", text: "new" },
    { path: "operator.ts", text: "changed", isEdit: true },
    { path: "deep/er/file.ts", text: "new" },
  ];
  const calls = planned.flatMap(({ path }) => [
    `create /p/${path}`,
    `rename /p/${path}`,
  ]);
  for (const failing of calls) {
    const files = await newProject();
    const before = { texts: new Map(files.texts), folders: new Set(files.folders) };
    files.failing = failing;
    await assert.rejects(writeFiles("/p", planned, files), /no room/);
    assert.deepEqual(files.texts, before.texts, failing);
    assert.deepEqual(files.folders, before.folders, failing);
  }
});

Deno.test("writeFiles() writes a file while another run writes it, and leaves no temporary file", async () => {
  const files = await newProject();
  const write = (text: string): ReturnType<typeof writeFiles> =>
    writeFiles("/p", [{ path: "README.md", text, isEdit: true }], files);
  const runs = await Promise.all(["one", "two", "one"].map(write));
  assert.deepEqual(runs.flat().map(({ change }) => change), ["changed", "changed", "changed"]);
  assert.match(files.texts.get("/p/README.md")!, /^(one|two)$/);
  assert.deepEqual([...files.texts.keys()].filter((path) => TEMPORARY.test(path)), []);
});

Deno.test("writeFiles() replaces a file of another text by force alone, and names those that it would", async () => {
  const files = await newProject();
  files.texts.set("/p/README.md", "mine");
  assert.match(
    await problemOf(() => writeFiles("/p", initial, files)),
    /^README\.md exists already in \/p and differs; nothing was written; --force replaces it$/,
  );
  assert.equal(files.texts.get("/p/README.md"), "mine");
  const written = await writeFiles("/p", initial, files, { force: true });
  assert.deepEqual(written.filter(({ change }) => change !== "unchanged"), [
    { path: "README.md", change: "changed" },
  ]);
});

Deno.test("insertLines() inserts above the marker with its indentation, and a known line never again", () => {
  const text = "list: [\r\n    a,\r\n    // xca:list here\r\n]";
  const insertion = { marker: "list", line: "b,", known: /^\s*b,/m };
  const once = insertLines(text, [insertion]);
  assert.equal(once.text, "list: [\r\n    a,\r\n    b,\r\n    // xca:list here\r\n]");
  assert.deepEqual(insertLines(once.text, [insertion]), { text: once.text, left: [] });
});

Deno.test("insertLines() changes nothing without the marker, and returns the line", () => {
  const insertion = { marker: "list", line: "b,", known: /b,/ };
  assert.deepEqual(insertLines("list: []", [insertion]), { text: "list: []", left: [insertion] });
  assert.deepEqual(insertLines("// xca:lists", [insertion]).left, [insertion]);
});

Deno.test("kindNames() derives group, plural, file and variable", () => {
  const rows: [Parameters<typeof kindNames>[0], object][] = [
    [{ kind: "Shop" }, { group: "example.org", plural: "shops", file: "shop", variable: "shop" }],
    [{ kind: "Policy", group: "trade" }, { group: "trade.example.org", plural: "policies" }],
    [{ kind: "VPCPeer" }, { plural: "vpcpeers", file: "vpcpeer", variable: "vpcPeer" }],
    [{ kind: "KVDI", plural: "kvdis" }, { plural: "kvdis", file: "kvdi", variable: "kvdi" }],
    [{ kind: "Key" }, { plural: "keys" }],
    [{ kind: "Class", group: "a.b.c" }, { group: "a.b.c", plural: "classes" }],
  ];
  for (const [given, expected] of rows) {
    const names = kindNames(given, "example.org") as unknown as Record<string, unknown>;
    for (const [name, value] of Object.entries(expected)) assert.equal(names[name], value);
  }
  assert.equal(kindOfProject("book-shop-operator"), "BookShop");
  assert.equal(kindOfProject("operator"), "Operator");
});

Deno.test("create api refuses wrong names, a second version in a file of its own, and nothing to do", async () => {
  const files = await newProject();
  const rows: [CreateApiOptions, RegExp][] = [
    [{ kind: "shop" }, /^kind "shop" must begin with a capital/],
    [{ kind: "My-Shop" }, /^kind "My-Shop" must begin/],
    [{ kind: "" }, /^kind "" must begin/],
    [{ kind: "ConfigMap" }, /^kind "ConfigMap" is a name that the files of a project use; choose/],
    [{ kind: "Order", version: "1" }, /^version "1" must be a version of an API/],
    [{ kind: "Order", version: "v1beta" }, /^version "v1beta" must be/],
    [{ kind: "Order", group: "Trade" }, /^group "Trade" must have lower-case/],
    [{ kind: "Order", group: "../x" }, /^group "\.\.\/x" must have/],
    [{ kind: "Order", plural: "Orders" }, /^plural "Orders" must have/],
    [
      { kind: "Shop", version: "v1" },
      /^Shop is already in api\/v1alpha1\/shop\.ts, and one definition/,
    ],
    [{ kind: "Order", resource: false }, /^Order is not in api\/v1alpha1\/order\.ts/],
    [{ kind: "Shop", resource: false, controller: false }, /^no file would be written/],
  ];
  for (const [options, message] of rows) {
    assert.match(await problemOf(() => createApi(project, options, files)), message);
  }
});

Deno.test("create webhook refuses unknown kinds and versions with what the project has", async () => {
  const files = await newProject();
  const validation = true;
  const rows: [CreateWebhookOptions, RegExp][] = [
    [{ kind: "Shop" }, /^no file would be written: give --defaulting, --validation, or both$/],
    [
      { kind: "Order", validation },
      /^shop has no kind Order in api\/ \(it has shop\); make it: kubectl/,
    ],
    [
      { kind: "SHop", validation },
      /has no line "export const SHop"; is the kind spelled correctly\?$/,
    ],
    [
      { kind: "Shop", version: "v1", validation },
      /^Shop has no module api\/v1\/shop\.ts; it is in v1al/,
    ],
  ];
  for (const [options, message] of rows) {
    assert.match(await problemOf(() => createWebhook(project, options, files)), message);
  }
});

Deno.test("create api and create webhook are wired into operator.ts once, whatever stands around the markers", async () => {
  const files = await newProject();
  for (let run = 0; run < 2; run++) {
    const api = await createApi(project, { kind: "Order" }, files);
    await writeFiles("/p", api.files, files);
    const webhook = await createWebhook(project, { kind: "Order", defaulting: true }, files);
    await writeFiles("/p", webhook.files, files);
    assert.deepEqual([...api.byHand, ...webhook.byHand], []);
  }
  const text = files.texts.get("/p/operator.ts")!;
  assert.equal(text.match(/orderController/g)?.length, 2);
  assert.equal(text.match(/orderWebhook/g)?.length, 2);
  const list = ["shopController,", "orderController,", "// xca:controllers"];
  assert(text.includes(list.map((line) => `    ${line}\n`).join("")), text);
});

Deno.test("create api prints the lines for an operator.ts without markers, and leaves the file alone", async () => {
  const files = await newProject();
  const own = 'import { defineOperator } from "@xca/operator";\n';
  files.texts.set("/p/operator.ts", own);
  const { files: planned, byHand } = await createApi(project, { kind: "Order" }, files);
  assert.deepEqual(byHand, [
    'import { orderController } from "./controllers/order.ts";',
    "controllers: [ ... orderController, ]",
  ]);
  await writeFiles("/p", planned, files);
  assert.equal(files.texts.get("/p/operator.ts"), own);
  files.texts.delete("/p/operator.ts");
  assert.match(
    await problemOf(() => createApi(project, { kind: "Order" }, files)),
    /^\/p\/operator\.ts does not exist; xca\.json names it as operator$/,
  );
});

for (
  const [operator, prefix] of [
    ["operator.ts", "./"],
    ["./operator.ts", "./"],
    ["src/operator.ts", "../"],
    ["./src/app/operator.ts", "../../"],
  ] as const
) {
  Deno.test(`create imports modules into ${operator} by paths relative to it`, async () => {
    const files = await newProject();
    files.texts.set(join("/p", operator), files.texts.get("/p/operator.ts")!);
    const moved = { ...project, operator };
    const api = await createApi(moved, { kind: "Order" }, files);
    await writeFiles("/p", api.files, files);
    const webhook = await createWebhook(moved, { kind: "Order", defaulting: true }, files);
    await writeFiles("/p", webhook.files, files);
    const text = files.texts.get(join("/p", operator))!;
    for (const [name, path] of [["orderController", "controllers"], ["orderWebhook", "webhooks"]]) {
      assert(text.includes(`import { ${name} } from "${prefix}${path}/order.ts";`), text);
    }
  });
}

Deno.test("init names the flag of a wrong setting", async () => {
  const rows: [Parameters<typeof initProject>[1], RegExp][] = [
    [{ name: "Shop", domain: "a.b" }, /^--name "Shop" must be/],
    [{ name: "shop", domain: "b" }, /^--domain "b" must be a domain/],
    [{ name: "shop", domain: "a.b", image: "no image" }, /^--image "no image" must be/],
  ];
  for (const [options, message] of rows) {
    assert.match(await problemOf(() => initProject("/p", options)), message);
  }
});
