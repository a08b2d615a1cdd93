// Mirrors Go's `golang.org/x/net/html`, `Tokenizer`.

/** A start tag of an HTML page. */
export interface StartTag {
  /** The name of the HTML tag, in lower case. */
  readonly name: string;
  /**
   * The names, in lower case, and values of the HTML tag's attributes, with undecoded character
   * references.
   */
  readonly attributes: readonly (readonly [string, string])[];
  /** Reports whether the HTML tag ends with a slash, as in `<br/>`. */
  readonly closes: boolean;
}

/** A token of an HTML page: a start tag, or the source text of any other token. */
export type HtmlToken = StartTag | string;

/** The HTML elements whose content is plain text up to their end tag. */
const RAW = new Set([
  ...["iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style"],
  ...["textarea", "title", "xmp"],
]);
const SPACE = /[ \n\r\t\f]*/y;
const NAME = /[^ \n\r\t\f/>]*/y;
/** A pattern of the name of an HTML attribute, which may begin with an equals sign. */
const ATTRIBUTE = /(?:=?[^= \n\r\t\f/>]*)/y;
const UNQUOTED = /[^ \n\r\t\f>]*/y;

/**
 * Yields the tokens of an HTML page in order. An incomplete tag at the end of the page is left out.
 */
export function* htmlTokens(page: string): Generator<HtmlToken> {
  let at = 0;
  while (at < page.length) {
    const open = tagStart(page, at);
    if (open > at) yield page.slice(at, open);
    if (open >= page.length) return;
    if (/[a-zA-Z]/.test(page[open + 1]!)) {
      const tag = startTagAt(page, open + 1);
      if (!tag) return;
      yield tag.tag;
      at = tag.end;
      if (!RAW.has(tag.tag.name)) continue;
      const end = rawEnd(page, at, tag.tag.name);
      if (end > at) yield page.slice(at, end);
      at = end;
      continue;
    }
    const end = markupEnd(page, open);
    if (end === undefined) return;
    yield page.slice(open, end);
    at = end;
  }
}

/**
 * Returns the position of the first tag, comment or declaration of an HTML page at or after `from`;
 * the end of the page if there is none.
 */
function tagStart(page: string, from: number): number {
  const pattern = /<[a-zA-Z!?]|<\/(?=.)/gs;
  pattern.lastIndex = from;
  return pattern.exec(page)?.index ?? page.length;
}

/**
 * Returns the position after an end tag, comment or declaration that begins at `open`: the end of
 * the page for an incomplete comment or declaration, `undefined` for an incomplete end tag.
 */
function markupEnd(page: string, open: number): number | undefined {
  if (page.startsWith("<!--", open)) {
    const pattern = /(?<=<!--)-?>|--!?>/g;
    pattern.lastIndex = open + 4;
    const found = pattern.exec(page);
    return found ? found.index + found[0].length : page.length;
  }
  if (/[a-zA-Z]/.test(page[open + 2] ?? "") && page[open + 1] === "/") {
    return startTagAt(page, open + 2)?.end;
  }
  const end = page.indexOf(">", open);
  return end < 0 ? page.length : end + 1;
}

function startTagAt(
  page: string,
  from: number,
): { readonly tag: StartTag; readonly end: number } | undefined {
  let at = from;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const [text] = pattern.exec(page)!;
    at += text.length;
    return text;
  };
  const name = lowerCase(take(NAME));
  const attributes = new Map<string, string>();
  let valueEnd = -1;
  for (take(SPACE); at < page.length; take(SPACE)) {
    if (page[at] === ">") {
      const closes = page[at - 1] === "/" && valueEnd !== at;
      return { tag: { name, attributes: [...attributes], closes }, end: at + 1 };
    }
    const key = lowerCase(take(ATTRIBUTE));
    take(SPACE);
    let value = "";
    if (page[at] === "/") at++;
    else if (page[at] === "=") {
      at++;
      take(SPACE);
      const quote = page[at];
      if (quote === '"' || quote === "'") {
        const end = page.indexOf(quote, at + 1);
        if (end < 0) return undefined;
        value = page.slice(at + 1, end);
        at = end + 1;
      } else {
        value = take(UNQUOTED);
        if (key !== "" && !attributes.has(key)) valueEnd = at;
      }
    }
    if (key !== "" && !attributes.has(key)) attributes.set(key, value);
  }
  return undefined;
}

/** Returns a text with its ASCII letters in lower case; the page may be a binary string. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * Returns the position of the end tag of an element with a given name whose content, plain text,
 * begins at `from`; the end of the page if there is none.
 */
function rawEnd(page: string, from: number, name: string): number {
  if (name === "plaintext") return page.length;
  const close = String.raw`</${name}(?=[ \n\r\t\f/>])`;
  const pattern = name === "script"
    ? new RegExp(`${close}|<!--|-->|<script(?=[ \\n\\r\\t\\f/>])`, "gi")
    : new RegExp(close, "gi");
  pattern.lastIndex = from;
  // A script within a comment within a script has an end tag of its own.
  let isComment = false;
  let isInner = false;
  for (let found = pattern.exec(page); found; found = pattern.exec(page)) {
    if (found[0] === "<!--") {
      isComment = true;
      pattern.lastIndex -= 2; // `<!-->` ends at once.
    } else if (found[0] === "-->") isComment = isInner = false;
    else if (!found[0].startsWith("</")) isInner = isComment;
    else if (isInner) isInner = false;
    else return found.index;
  }
  return page.length;
}
