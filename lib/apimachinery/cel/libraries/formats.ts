// Mirrors `cel/library/format.go, Format`.
import { labelValueProblems, qualifiedNameProblems } from "../../validation/labels.ts";
import {
  label1035NameProblems,
  labelNameProblems,
  subdomainNameProblems,
} from "../../validation/names.ts";
import { type Library, namedType } from "../declarations.ts";
import type { CelType } from "../types/cel_type.ts";
import { parseTimestamp } from "../values/go_time.ts";
import { CelError, CelObject, CelOptional, type CelValue, ValueList } from "../values/value.ts";
import { URLS } from "./urls.ts";

/** A CEL object that validates texts by a named format, such as `dns1123Label`. */
export class NamedFormat extends CelObject {
  override readonly type: CelType = namedType("kubernetes.NamedFormat");

  constructor(
    readonly name: string,
    readonly problems: (text: string) => readonly string[],
    /**
     * The nominal length of the CEL format's regular expression in characters, which determines the
     * cost of `validate`.
     */
    readonly patternSize: number,
  ) {
    super();
  }

  override equals(other: CelObject): boolean {
    return this === other;
  }
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function unless(holds: (text: string) => boolean, problem: string) {
  return (text: string): readonly string[] => holds(text) ? [] : [problem];
}

function urlProblems(text: string): readonly string[] {
  const url = URLS.implementations["string_to_url"]!(text);
  return url instanceof CelError ? [url.message.replace(/^.*?: (?=parse )/, "")] : [];
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTimestamp(`${text}T00:00:00Z`) !== undefined;
}

function named(
  key: string,
  name: string,
  problems: (text: string) => readonly string[],
  patternSize: number,
): readonly [string, NamedFormat] {
  return [key, new NamedFormat(name, problems, patternSize)];
}

const FORMATS: ReadonlyMap<string, NamedFormat> = new Map([
  named("dns1123Label", "DNS1123Label", (text) => labelNameProblems(text, false), 30),
  named("dns1123Subdomain", "DNS1123Subdomain", (text) => subdomainNameProblems(text, false), 60),
  named("dns1035Label", "DNS1035Label", (text) => label1035NameProblems(text, false), 30),
  named("qualifiedName", "QualifiedName", qualifiedNameProblems, 60),
  named("dns1123LabelPrefix", "DNS1123LabelPrefix", (text) => labelNameProblems(text, true), 30),
  named(
    "dns1123SubdomainPrefix",
    "DNS1123SubdomainPrefix",
    (text) => subdomainNameProblems(text, true),
    60,
  ),
  named(
    "dns1035LabelPrefix",
    "DNS1035LabelPrefix",
    (text) => label1035NameProblems(text, true),
    30,
  ),
  named("labelValue", "LabelValue", labelValueProblems, 40),
  named("uri", "URI", urlProblems, 1000),
  named("uuid", "uuid", unless((text) => UUID.test(text), "does not match the UUID format"), 84),
  named("byte", "byte", unless((text) => BASE64.test(text), "invalid base64"), 84),
  named("date", "date", unless(isDate, "invalid date"), 87),
  named(
    "datetime",
    "datetime",
    unless((text) => parseTimestamp(text) !== undefined, "invalid datetime"),
    87,
  ),
]);

function validate(format: CelValue | undefined, text: CelValue | undefined): CelValue {
  const problems = (format as NamedFormat).problems(text as string);
  return problems.length === 0 ? CelOptional.none : new CelOptional(new ValueList([...problems]));
}

/**
 * The CEL library of Kubernetes' named text formats: `format.named`, a function for each format,
 * and `validate`.
 */
export const FORMAT_LIBRARY: Library = {
  signatures: `
    validate format-validate.(kubernetes.NamedFormat, string) optional(list(string))
    format.named format-named(string) optional(kubernetes.NamedFormat)
    ${
    [...FORMATS.keys()].map((key) => `format.${key} format.${key}() kubernetes.NamedFormat`).join(
      "\n",
    )
  }`,
  implementations: {
    "format-validate": validate,
    "format-named": (name) => {
      const format = FORMATS.get(name as string);
      return format ? new CelOptional(format) : CelOptional.none;
    },
    ...Object.fromEntries([...FORMATS].map(([key, format]) => [`format.${key}`, () => format])),
  },
};
