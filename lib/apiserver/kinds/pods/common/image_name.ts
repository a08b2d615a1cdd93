// Mirrors `util/parsers/parsers.go, ParseImageName`.
const COMPONENT = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const DOMAIN_PART = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const DOMAIN = `(?:${DOMAIN_PART}(?:\\.${DOMAIN_PART})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const REFERENCE = new RegExp(
  `^(?:${DOMAIN}/)?${COMPONENT}(?:/${COMPONENT})*` +
    "(?::([\\w][\\w.-]{0,127}))?(@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?$",
);

/**
 * Returns the tag of a container image: `latest` for an image without tag and digest; empty for an
 * image with a digest only, or for an invalid name.
 */
export function imageTag(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) return "";
  const match = REFERENCE.exec(image);
  if (!match) return "";
  const [, tag, digest] = match;
  return tag ?? (digest === undefined ? "latest" : "");
}

/**
 * Returns the default pull policy of a container image: `Always` for the tag `latest`, otherwise
 * `IfNotPresent` (`util/parsers/parsers.go`, `ParseImageName`).
 */
export function defaultPullPolicy(image: string): "Always" | "IfNotPresent" {
  return imageTag(image) === "latest" ? "Always" : "IfNotPresent";
}
