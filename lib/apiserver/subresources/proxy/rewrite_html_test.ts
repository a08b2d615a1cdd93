import assert from "node:assert/strict";
import { goUrlText, parseGoUrl } from "./go_url.ts";
import { rewrittenHtml } from "./rewrite_html.ts";

const PROXIED = { host: "10.0.0.1:80", requestHost: "api:6443", prefix: "/proxy/p" };

/** URLs, with the results of Go's `url.Parse` and `URL.String`. */
const URLS: readonly (readonly [string, string])[] = [
  ["", ""],
  ["/x", "/x"],
  ["//h/x", "//h/x"],
  ["///x", "///x"],
  ["http:x", "http:x"],
  ["http:/x", "http:/x"],
  ["http://h", "http://h"],
  ["http://u:p@h:80/x?y#z", "http://u:p@h:80/x?y#z"],
  [":x", 'parse ":x": missing protocol scheme'],
  ["a:b", "a:b"],
  ["1a:b", 'parse "1a:b": first path segment in URL cannot contain colon'],
  ["x:y/z", "x:y/z"],
  ["./x:y", "./x:y"],
  ["/a%20b", "/a%20b"],
  ["/a b", "/a%20b"],
  ["/a%2Fb", "/a%2Fb"],
  ["/%zz", 'parse "/%zz": invalid URL escape "%zz"'],
  ["/a?b?c", "/a?b?c"],
  ["/a?", "/a?"],
  ["/a#", "/a"],
  ["#f", "#f"],
  ["?q", "?q"],
  ["/a[b]", "/a[b]"],
  ["/a!b", "/a!b"],
  ["http://[::1]:80/x", "http://[::1]:80/x"],
  ["http://[::1/x", "parse \"http://[::1/x\": missing ']' in host"],
  ["http://h:x/", 'parse "http://h:x/": invalid port ":x" after host'],
  ["http://a b/", 'parse "http://a b/": invalid character " " in host name'],
  ["/é", "/%C3%A9"],
  ["/%C3%A9", "/%C3%A9"],
  ["*", "*"],
  ["/*", "/*"],
  ["http://h?x", "http://h?x"],
  ["HTTP://H/x", "http://H/x"],
  ["/x#a b", "/x#a%20b"],
  ["/x#%zz", 'parse "/x#%zz": invalid URL escape "%zz"'],
  ["a/b:c", "a/b:c"],
  ["http://h:80:90/", 'parse "http://h:80:90/": invalid port ":80:90" after host'],
  ["file:///x", "file:///x"],
  ["mailto:", "mailto:"],
  ["//", ""],
  ["/a\\b", "/a%5Cb"],
  ["/a^b|c", "/a%5Eb%7Cc"],
  ["/a;b,c", "/a;b,c"],
];

/** HTML pages, with the results of kube-apiserver's proxy (`util/proxy`, `Transport`). */
const PAGES: readonly (readonly [string, string])[] = [
  [
    '<a href="?q=/x"><<a a=1 href=/a/ b=2/></textarea><noscript>',
    '<a href="?q=/x"><<a a="1" href="/proxy/p/a/" b="2/"></textarea><noscript>',
  ],
  ['<noscript>=<a href="/x y">', '<noscript>=<a href="/x y">'],
  [
    "<p é=\"ü\"><img src='//10.0.0.1:80/z' src=/w>--!><!doctype html>",
    '<p é="ü"><img src="/proxy/p/z">--!><!doctype html>',
  ],
  ['<1"<SCRIPT>', '<1"<script>'],
  [
    '<a<form action="http://api:6443/f g"></><a href="/proxy/p/in">',
    '<a<form action="http://api:6443/f g"></><a href="/proxy/p/in">',
  ],
  ['<a href="/x"><a href="#x"></script><a href=', '<a href="/proxy/p/x"><a href="#x"></script>'],
  [
    '<?php ?><SCRIPT><a href="/x y"><a<!doctype html>',
    '<?php ?><script><a href="/x y"><a<!doctype html>',
  ],
  [
    '<!--><a href="mailto:a@b"><a href="mailto:a@b">',
    '<!--><a href="mailto:a@b"><a href="mailto:a@b">',
  ],
  [
    "<!doctype html><SCRIPT><!doctype html></style>",
    "<!doctype html><script><!doctype html></style>",
  ],
  [
    '<script><form action="http://api:6443/f g"></SCRIPT ><textarea>é',
    '<script><form action="http://api:6443/f g"></SCRIPT ><textarea>é',
  ],
  [
    "<title><A HREF=/y?a=b&amp;c><1<a href=<!doctype html><!--->",
    "<title><A HREF=/y?a=b&amp;c><1<a href=<!doctype html><!--->",
  ],
  [
    '</a>text & more<title><a href="/x\r\ny"><a href="/a%2Fb%zz">',
    '</a>text & more<title><a href="/x\r\ny"><a href="/a%2Fb%zz">',
  ],
  ['<a href="/a%2Fb%zz"><textarea><plaintext>', '<a href="/a%2Fb%zz"><textarea><plaintext>'],
  ['</textarea></title><?php ?>""<plaintext>', '</textarea></title><?php ?>""<plaintext>'],
  [
    '</noscript><a href<A HREF=/y?a=b&amp;c><a href="http://other/x"><a a=1 href=/a/ b=2/>',
    '</noscript><a href<a="" href="/proxy/p/y?a=b&amp;c"><a href="http://other/x"><a a="1" href="/proxy/p/a/" b="2/">',
  ],
  [
    '<1<a<link href=&#x2f;ent&eacute; / ><noscript><a href="/x"> = ',
    '<1<a<link href="/enté"><noscript><a href="/x"> = ',
  ],
  [
    '<!-- /x <a href=/b> --><a href="/x/../y//z"><!--<a href="/x\r\ny">',
    '<!-- /x <a href=/b> --><a href="/proxy/p/y/z"><!--<a href="/x\r\ny">',
  ],
  ["<br/><a href='</ a></script>text & more", "<br/>"],
  [
    '<!--->text & more<style></textarea><form action="http://api:6443/f g">',
    '<!--->text & more<style></textarea><form action="http://api:6443/f g">',
  ],
  [
    '</title><input usemap=/m formaction="/f/" disabled><style>=</style>',
    '</title><input usemap="/proxy/p/m" formaction="/proxy/p/f/" disabled=""><style>=</style>',
  ],
  [
    '<a href="mailto:a@b"><p é="ü"><?php ?><script src=/q ><a href="/x/../y//z"><textarea>',
    '<a href="mailto:a@b"><p é="ü"><?php ?><script src="/proxy/p/q"><a href="/x/../y//z"><textarea>',
  ],
];

function written(url: string): string {
  try {
    return goUrlText(parseGoUrl(url));
  } catch (error) {
    return (error as Error).message;
  }
}

Deno.test("URLs are read and written as Go does", () => {
  assert.deepEqual(URLS.map(([url]) => written(url)), URLS.map(([, go]) => go));
});

Deno.test("pages are rewritten as kube-apiserver does", () => {
  const rewritten = (page: string): string =>
    new TextDecoder().decode(rewrittenHtml(new TextEncoder().encode(page), PROXIED));
  assert.deepEqual(PAGES.map(([page]) => rewritten(page)), PAGES.map(([, go]) => go));
});

Deno.test("the bytes of a page that are no UTF-8 stay", () => {
  const page = Uint8Array.of(0xff, 0xe9, ...new TextEncoder().encode("<br>"), 0xff);
  assert.deepEqual(rewrittenHtml(page, PROXIED), page);
});
