/**
 * The links of every page in Markdown: the file or heading that a relative link names exists, and a
 * published README has only links that work where it is read: in the repository and on a registry.
 */
import assert from "node:assert/strict";
import { posix } from "node:path";
import { PACKAGES } from "../support/packaging/packages.ts";

const root = new URL("../../", import.meta.url);

/** Folders without pages of this project. */
const SKIPPED = /^(\.git|node_modules|dist)$/;

function pagesBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(`./${folder}`, root))].flatMap(({ name, isDirectory }) => {
    const path = folder + name;
    if (isDirectory) return SKIPPED.test(name) ? [] : pagesBelow(`${path}/`);
    return name.endsWith(".md") ? [path] : [];
  }).sort();
}

/** Returns the text of a page without its blocks of code. */
function proseOf(page: string): string {
  return Deno.readTextFileSync(new URL(page, root)).replace(/^ *```[^]*?^ *```$/gm, "");
}

/** Returns the targets of the links of a page, without those that name a scheme. */
function linksOf(page: string): string[] {
  const text = proseOf(page);
  const inline = text.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g);
  const references = text.matchAll(/^\[[^\]]+\]: <?(\S+?)>?$/gm);
  return [...inline, ...references].map(([, target]) => target!)
    .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target));
}

/** Returns the anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const base = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim().toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");
    let anchor = base;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${base}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(new URL(`./${path}`, root)) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the path from the root of the repository that a link names; empty for the root itself. */
function targetOf(page: string, path: string): string {
  if (path === "") return page;
  return posix.normalize(
    path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(page), path),
  );
}

/** Returns why a link does not work; `undefined` if it does. */
function problemOf(page: string, link: string): string | undefined {
  const [path = "", anchor] = decodeURIComponent(link).split("#");
  const target = targetOf(page, path);
  if (target.startsWith("..")) return "it leaves the repository";
  if (!exists(target)) return "there is no such file";
  if (anchor === undefined || !target.endsWith(".md")) return undefined;
  return anchorsOf(target).has(anchor) ? undefined : "there is no such heading";
}

const PAGES = pagesBelow("");

Deno.test("links: no page holds a marker of an unresolved merge", () => {
  const marker = /<{7} \w|>{7} [0-9a-f]{7}/;
  const marked = pagesBelow("").filter((page) =>
    marker.test(Deno.readTextFileSync(new URL(page, root)))
  );
  assert.deepEqual(marked, []);
});

Deno.test("links: each relative link of a page leads to a file and a heading that exist", () => {
  const links = PAGES.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
  assert(links.length > 50, `only ${links.length} links found: does this test still look?`);
  const broken = links
    .map(({ page, link }) => ({ page, link, problem: problemOf(page, link) }))
    .filter(({ problem }) => problem !== undefined);
  assert.deepEqual(broken, []);
});

// `plugin/pkg` is a folder of Kubernetes.
Deno.test("links: each path of the repository that a page has in code exists", () => {
  const paths = PAGES.flatMap((page) =>
    [
      ...proseOf(page).matchAll(
        /`((?:lib|tests|cli|docs|plugin(?!\/pkg)|examples|bench)\/[\w./-]*)`/g,
      ),
    ]
      .map(([, path]) => ({ page, path: path! }))
  );
  assert(paths.length > 50, `only ${paths.length} paths found: does this test still look?`);
  assert.deepEqual(paths.filter(({ path }) => !exists(path)), []);
});

Deno.test("links: a README of a member links from the root of the repository, as jsr.io resolves links", () => {
  const members = PACKAGES.filter(({ folder }) => folder !== "");
  const relative = members.flatMap(({ folder }) =>
    linksOf(`${folder}README.md`)
      .filter((link) => !link.startsWith("/") && !link.startsWith("#"))
      .map((link) => `${folder}README.md: ${link}`)
  );
  assert(members.length > 0);
  assert.deepEqual(relative, []);
});
