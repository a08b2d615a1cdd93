import assert from "node:assert/strict";
import {
  formatLabelSelector,
  labelSelectorOf,
  matchesLabels,
  parseLabelSelector,
} from "./label_selector.ts";

const WEB = { app: "web", tier: "front", empty: "" };

function matches(text: string, labels: Record<string, string> = WEB): boolean {
  return matchesLabels(parseLabelSelector(text), labels);
}

Deno.test("parseLabelSelector() accepts every form that Kubernetes accepts", () => {
  const expected: Record<string, boolean> = {
    "": true,
    "  ": true,
    "app=web": true,
    "app==web": true,
    "app = web": true,
    "app=db": false,
    "app!=db": true,
    "app != web": false,
    "absent!=x": true,
    "app in (web, db)": true,
    "app in(web,db)": true,
    "app in (db)": false,
    "absent in (x)": false,
    "app notin (db,cache)": true,
    "app notin (db,web)": false,
    "absent notin (x)": true,
    "app": true,
    "absent": false,
    "!app": false,
    "!absent": true,
    "! absent": true,
    "app=web,tier=front": true,
    "app=web , tier=back": false,
    "app,!absent,tier in (front)": true,
    "empty=": true,
    "app=": false,
    "empty in (,x)": true,
    "empty": true,
    "empty!=": false,
    "toString": false,
    "!toString": true,
  };
  for (const [text, whether] of Object.entries(expected)) {
    assert.equal(matches(text), whether, text);
  }
  assert.equal(matches("example.org/role=a.b_c-1", { "example.org/role": "a.b_c-1" }), true);
  assert.equal(matches("in in (notin)", { in: "notin" }), true);
});

Deno.test("parseLabelSelector() refuses invalid selectors, and names the position", () => {
  const expected: Record<string, RegExp> = {
    "app=web,": /"app=web,": expected a label key, found the end of the text/,
    ",app": /expected a label key, found "," at character 1/,
    "app=web tier": /expected "," or the end, found "tier" at character 9/,
    "app web": /expected one of "=", "==", "!=", "in", "notin" after "app", found "web"/,
    "app in web": /expected "\(", found "web" at character 8/,
    "app in (web": /expected "," or "\)", found the end/,
    "app in (web db)": /expected "," or "\)", found "db" at character 13/,
    "app in ()": /operator In of app takes at least one value/,
    "!app=web": /expected "," or the end, found "=" at character 5/,
    "a==b==c": /expected "," or the end, found "=="/,
    "app=web||x=y": /a value of app must be .*"web\|\|x"/,
    "app>1": /expected one of .* found ">"/,
    "-app": /a label key must be .*"-app"/,
    "Example.org/app": /a label key must be .*"Example.org\/app"/,
    "/app": /a label key must be/,
    "a/b/c": /a label key must be/,
    "=web": /expected a label key, found "="/,
    "!": /expected a label key, found the end/,
  };
  for (const [text, message] of Object.entries(expected)) {
    assert.throws(() => parseLabelSelector(text), { name: "TypeError", message }, text);
  }
  assert.throws(() => parseLabelSelector(`app=${"x".repeat(64)}`), /at most 63/);
  assert.throws(() => parseLabelSelector(`${"x".repeat(64)}=a`), /at most 63/);
  assert.equal(matches(`app=${"x".repeat(63)}`), false);
});

Deno.test("labelSelectorOf() combines matchLabels and matchExpressions", () => {
  const selector = labelSelectorOf({
    matchLabels: { app: "web" },
    matchExpressions: [
      { key: "tier", operator: "NotIn", values: ["back", "cache"] },
      { key: "absent", operator: "DoesNotExist" },
      { key: "empty", operator: "Exists", values: [] },
    ],
  });
  assert.equal(matchesLabels(selector, WEB), true);
  assert.equal(matchesLabels(selector, { ...WEB, tier: "cache" }), false);
  assert.equal(formatLabelSelector(selector), "!absent,app=web,empty,tier notin (back,cache)");
  assert.equal(matchesLabels(labelSelectorOf({}), {}), true);
});

Deno.test("labelSelectorOf() names the fault and its field", () => {
  const refused = (operator: string, values?: string[], key = "app") => () =>
    labelSelectorOf({ matchExpressions: [{ key, operator, values }] });
  assert.throws(refused("in", ["a"]), /matchExpressions\[0\]: operator must be In, NotIn.*"in"/);
  assert.throws(refused("In"), /operator In of app takes at least one value/);
  assert.throws(refused("Exists", ["a"]), /operator Exists of app takes no values/);
  assert.throws(refused("In", ["a b"]), /a value of app must be .*"a b"/);
  assert.throws(refused("Exists", [], ""), /a label key must be/);
  assert.throws(
    () => labelSelectorOf({ matchLabels: { app: 1 as unknown as string } }),
    /matchLabels: a value of app must be/,
  );
});

Deno.test("formatLabelSelector() formats equal selectors alike, and its result parses to an equal selector", () => {
  const alike = ["a=1,b in (y,x),!c", " !c , b in (x,y,x), a==1", "b in (y,x),a in (1),!c"];
  const texts = alike.map((text) => formatLabelSelector(parseLabelSelector(text)));
  assert.deepEqual(new Set(texts), new Set(["a=1,b in (x,y),!c"]));
  for (const text of ["", "a", "!a", "a=", "a!=1", "a notin (1,2)", "a in (,x)", "a!=1,a=2"]) {
    const once = parseLabelSelector(text);
    assert.deepEqual(parseLabelSelector(formatLabelSelector(once)), once, text);
  }
});
