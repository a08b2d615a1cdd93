import assert from "node:assert/strict";
import { findProject, parseProject, ProjectError } from "./project.ts";

function problemOf(text: string): string {
  try {
    parseProject(text, "xca.json");
  } catch (error) {
    assert(error instanceof ProjectError);
    return error.message;
  }
  return "";
}

Deno.test("parseProject() fills in what xca.json leaves out", () => {
  assert.deepEqual(parseProject('{ "name": "shop", "domain": "example.org" }', "xca.json"), {
    name: "shop",
    domain: "example.org",
    namespace: "shop-system",
    image: "shop:latest",
    operator: "operator.ts",
    program: "main.ts",
  });
});

Deno.test("parseProject() refuses a wrong xca.json with one line that names the field and the value", () => {
  const rows: [unknown, RegExp][] = [
    [{ name: "Shop", domain: "a.b" }, /^xca\.json: name "Shop" must be at most 40 lower-case/],
    [{ name: "1shop", domain: "a.b" }, /^xca\.json: name "1shop" must/],
    [{ name: "s".repeat(41), domain: "a.b" }, /^xca\.json: name "s+" must/],
    [{ name: 7, domain: "a.b" }, /^xca\.json: name 7 must be a text$/],
    [{ name: null, domain: "a.b" }, /^xca\.json: the field name is missing$/],
    [{ name: "shop" }, /^xca\.json: the field domain is missing$/],
    [{ name: "shop", domain: "org" }, /^xca\.json: domain "org" must be a domain/],
    [{ name: "shop", domain: "a..b" }, /^xca\.json: domain "a\.\.b" must be a domain/],
    [{ name: "shop", domain: "a.b", namespace: "a.b" }, /namespace "a\.b" must be a namespace/],
    [{ name: "shop", domain: "a.b", image: "Bad Image" }, /image "Bad Image" must be the name/],
    [{ name: "shop", domain: "a.b", operator: "../x.ts" }, /operator "\.\.\/x\.ts" must be/],
    [{ name: "shop", domain: "a.b", operator: "/x.ts" }, /operator "\/x\.ts" must be/],
    [{ name: "shop", domain: "a.b", program: "main.go" }, /program "main\.go" must be/],
    [
      { name: "shop", domain: "a.b", repo: "x" },
      /^xca\.json: unknown field "repo"; known are name/,
    ],
    [
      { name: "shop", domain: "a.b", toString: "x" },
      /^xca\.json: unknown field "toString"; known are name/,
    ],
    [[], /^xca\.json must be a JSON object/],
    [null, /^xca\.json must be a JSON object/],
  ];
  for (const [value, message] of rows) {
    const found = problemOf(JSON.stringify(value));
    assert.match(found, message);
    assert(!found.includes("\n"), found);
  }
  assert.match(problemOf("{"), /^xca\.json is not JSON: /);
});

Deno.test("findProject() finds the nearest xca.json upwards, and says where none is", async () => {
  const files: Record<string, string> = {
    "/a/xca.json": '{ "name": "outer", "domain": "example.org" }',
    "/a/b/xca.json": '{ "name": "inner", "domain": "example.org" }',
  };
  const readFile = (path: string): Promise<Uint8Array> => {
    const text = files[path];
    return text === undefined
      ? Promise.reject(new Deno.errors.NotFound(path))
      : Promise.resolve(new TextEncoder().encode(text));
  };
  assert.equal((await findProject("/a/b/controllers", { readFile })).name, "inner");
  const outer = await findProject("/a/c", { readFile });
  assert.deepEqual([outer.name, outer.folder], ["outer", "/a"]);
  await assert.rejects(
    findProject("/elsewhere", { readFile }),
    new ProjectError(
      "/elsewhere is not in a project: no xca.json there or above; " +
        "go to a project's folder, or make one: kubectl xca init FOLDER",
    ),
  );
});
