/**
 * The mechanical part of the rule for comments in CONTRIBUTING: a doc comment begins with a verb or a noun,
 * and comments contain none of the phrases below, which a reader without the code cannot resolve.
 */
import assert from "node:assert/strict";

const root = new URL("../../", import.meta.url);

/**
 * The folders and files that are checked. A folder is added when all its comments follow the rule.
 */
const CHECKED: readonly string[] = [
  "mod.ts",
  "bench",
  "cli",
  "examples",
  "lib/apimachinery/access",
  "lib/apimachinery/base",
  "lib/apimachinery/cel",
  "lib/apimachinery/errors",
  "lib/apimachinery/kubernetes_schemas",
  "lib/apimachinery/meta",
  "lib/apimachinery/pki",
  "lib/apimachinery/schema",
  "lib/apimachinery/serving",
  "lib/apimachinery/validation",
  "lib/apimachinery/values",
  "lib/apimachinery/workqueue",
  "lib/apiserver/access",
  "lib/apiserver/admission",
  "lib/apiserver/audit",
  "lib/apiserver/controllers",
  "lib/apiserver/crd",
  "lib/apiserver/decode",
  "lib/apiserver/discovery",
  "lib/apiserver/front",
  "lib/apiserver/kinds",
  "lib/apiserver/machinery",
  "lib/apiserver/managed_fields",
  "lib/apiserver/openapi",
  "lib/apiserver/output",
  "lib/apiserver/patch",
  "lib/apiserver/registry",
  "lib/apiserver/request",
  "lib/apiserver/resources",
  "lib/apiserver/seed",
  "lib/apiserver/storage",
  "lib/apiserver/subresources",
  "lib/apiserver/types",
  "lib/apiserver/validation",
  "lib/cache",
  "lib/client",
  "lib/cluster",
  "lib/controller",
  "lib/doors",
  "lib/events",
  "lib/manager",
  "lib/project",
  "lib/rbac",
  "lib/resource",
  "lib/schedule",
  "lib/testing",
  "lib/webhook",
  "lib/xca",
  "plugin",
  "tests/cluster",
];

/** Openings of a doc comment that name no subject. */
const OPENINGS: readonly RegExp[] = [
  /^(What|Whether|How|Where|When|Who|Whom|Whose|Why|Which|That|Those|These|Such)\b/,
  /^(Of|So (many|much|long|far)|One (that|of|who)|Nobody|Nothing|Whoever|Whatever|As|Else|Until)\b/,
  /^~|^(The same|All there|It|They|Its|Is told|Told of)\b/,
];

/** Phrases without a clear subject, or with a word that this repository does not use. */
const PHRASES: readonly RegExp[] = [
  /\b(nobody|somebody|whoever|one's own)\b/i,
  /\bno sooner\b|\bbe it\b|\bas ever\b|\bin words\b/i,
  /\b(is|are|was|were) (told|asked|meant) (of|for|to|that)\b/i,
  /\b(tells|told|telling) (of|it from|apart)\b/i,
  /\b(that|what|it|one) (is|was) none\b/i,
  /\b(of|for) (who|whom|whoever) (is|are|has|have|asks|waits|wants|looks)\b/i,
  /\bwhat (is|was|were|came|it|they|there|comes|becomes|has|belongs|stands|remains)\b/i,
  /\b(takes|gives|puts|makes|looked|looks) (away|anew|nothing) (of|of it)\b/i,
  /\bmade anew\b|\bso many\b|\bbeside it\b/i,
  /\b(comes?|came|goes|stands?) (in line|to it|from it)\b/i,
  /\b(the|a|this|that|its) doors?\b/i,
  /\bkin\b|\bchance comes\b|\btime comes from\b/i,
];

interface Comment {
  readonly place: string;
  readonly text: string;
  readonly isDoc: boolean;
}

function* filesBelow(path: string): Generator<string> {
  if (path.endsWith(".ts")) return yield path;
  for (const entry of Deno.readDirSync(new URL(`${path}/`, root))) {
    if (entry.isDirectory) yield* filesBelow(`${path}/${entry.name}`);
    else if (entry.name.endsWith(".ts")) yield `${path}/${entry.name}`;
  }
}

/** Returns the comments of a file: doc comments without their examples, and lines of `//`. */
function commentsOf(path: string): Comment[] {
  const source = Deno.readTextFileSync(new URL(path, root));
  const lineAt = (at: number): number => source.slice(0, at).split("\n").length;
  const docs = [...source.matchAll(/^[ \t]*\/\*\*([\s\S]*?)\*\/[ \t]*/gm)].map((match) => {
    const [, body = ""] = match;
    const text = body.split("\n").map((line) => line.replace(/^\s*\* ?/, "").trimEnd()).join("\n")
      .trim().replace(/^@example[\s\S]*?(?=^@(?!example)\w|$(?![\s\S]))/gm, "");
    return {
      place: `${path}:${lineAt(match.index)}`,
      text,
      isDoc: true,
    };
  });
  const lines = [...source.matchAll(/(?:^|[;,{}()] )\s*\/\/(?!\/) ?(.*)$/gm)]
    .map((match) => ({
      place: `${path}:${lineAt(match.index + match[0].indexOf("//"))}`,
      text: match[1]!,
      isDoc: false,
    }));
  return [...docs, ...lines];
}

/** Returns what a comment does against the rule; `undefined` when it follows it. */
function problemOf({ text, isDoc }: Comment): string | undefined {
  const [first = ""] = text.split("\n", 1);
  if (isDoc) {
    const opening = OPENINGS.find((each) => each.test(first));
    if (opening) return `begins with "${opening.exec(first)![0]}"`;
  }
  const prose = text.replaceAll(/`[^`]*`|\{@link[^}]*\}|"[^"]*"|https?:\S+/g, "");
  const phrase = PHRASES.map((each) => each.exec(prose.replaceAll("\n", " "))).find((each) => each);
  return phrase ? `has "${phrase[0]}"` : undefined;
}

Deno.test("prose: comments begin with a verb or a noun, and contain no unclear phrases", () => {
  const problems = CHECKED.flatMap((path) => [...filesBelow(path)]).flatMap(commentsOf)
    .flatMap((comment) => {
      const problem = problemOf(comment);
      return problem === undefined ? [] : [`${comment.place} ${problem}`];
    });
  assert.equal(problems.join("\n"), "");
});

Deno.test("prose: the check finds openings and phrases, and leaves examples and code alone", () => {
  const doc = (text: string): string | undefined => problemOf({ place: "", text, isDoc: true });
  assert.equal(doc("What it was made of."), 'begins with "What"');
  assert.equal(doc("Whether somebody may change it."), 'begins with "Whether"');
  assert.equal(doc("Reports whether the cache is stale."), undefined);
  assert.equal(doc("Told of every loss."), 'begins with "Told of"');
  assert.equal(doc("Returns what is there."), 'has "what is"');
  assert.equal(doc("Adds a key for whoever waits."), 'has "whoever"');
  assert.equal(doc("Reports whether `nobody` is the user."), undefined);
  assert.equal(doc("Returns the version of an object."), undefined);
});
