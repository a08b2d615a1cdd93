import assert from "node:assert/strict";
import { parseLabelSelector } from "./label_selector.ts";
import { Chance } from "../random_values_test.ts";
import {
  type LabelSelectorFields,
  selectorMatches,
  selectorText,
} from "@xca/apimachinery/internal/validation";

Deno.test("selectorText() formats a selector sorted by key", () => {
  assert.equal(selectorText(undefined), "");
  assert.equal(
    selectorText({
      matchLabels: { b: "1", a: "" },
      matchExpressions: [
        { key: "c", operator: "In", values: ["y", "x"] },
        { key: "d", operator: "DoesNotExist" },
        { key: "aa", operator: "Exists" },
        { key: "e", operator: "NotIn", values: ["z"] },
      ],
    }),
    "a=,aa,b=1,c in (x,y),!d,e notin (z)",
  );
});

Deno.test("> and < compare integers of 64 bits alone", () => {
  const most = String(2n ** 63n - 1n);
  assert.equal(parseLabelSelector(`a<${most}`)?.({ a: "5" }), true);
  assert.equal(parseLabelSelector("a>5")?.({ a: most }), true);
  assert.equal(parseLabelSelector("a>5")?.({ a: String(2n ** 63n) }), false);
  assert.equal(parseLabelSelector("a>5")?.({}), false);
  assert.throws(
    () => parseLabelSelector(`a>${2n ** 63n}`),
    /for 'Gt', 'Lt' operators, the value must be an integer/,
  );
});

Deno.test("selectorText() parses back to an equal selector", async () => {
  await Chance.runs(1000, (chance) => {
    const keys = ["a", "b", "x/c"];
    const values = ["1", "2", "3"];
    const expressions = chance.several(3, () => {
      const operator = chance.pick(["In", "NotIn", "Exists", "DoesNotExist"]);
      const some = operator.endsWith("In") ? { values: chance.shuffled(values).slice(1) } : {};
      return { key: chance.pick(keys), operator, ...some };
    });
    const selector: LabelSelectorFields = {
      matchLabels: Object.fromEntries(chance.several(1, () => [chance.pick(keys), "1"])),
      matchExpressions: expressions,
    };
    const labels = Object.fromEntries(
      keys.filter(() => chance.happens(0.6)).map((key) => [key, chance.pick(values)]),
    );
    const matches = parseLabelSelector(selectorText(selector))?.(labels) ?? true;
    const about = `${selectorText(selector)} of ${JSON.stringify(labels)}`;
    assert.equal(matches, selectorMatches(selector, labels), about);
  });
});
