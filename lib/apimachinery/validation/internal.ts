/**
 * Internals of `@xca/apimachinery/validation` for the other packages of this repository. Not public
 * API: no compatibility is promised.
 *
 * @module
 */
export {
  formatCidr,
  formatIp,
  type IpAddress,
  type IpRange,
  isIpv6,
  isLinkLocal,
  isLoopback,
  isUnspecified,
  networkOf,
  parseCidr,
  parseIp,
  rangeHolds,
  sameIp,
} from "./ip_address.ts";
export {
  type LabelSelectorFields,
  labelValueProblems,
  qualifiedNameProblems,
  selectorHasInvalidValue,
  selectorIsEmpty,
  selectorMatches,
  selectorText,
  validateLabelKey,
  validateLabels,
  validateLabelSelector,
  validateLabelsInSteps,
} from "./labels.ts";
export {
  caselessSubdomainProblems,
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  dnsSubdomainWithUnderscoreProblems,
  labelNameProblems,
  pathSegmentNameProblems,
  subdomainNameProblems,
  wildcardSubdomainProblems,
} from "./names.ts";
export {
  base64Length,
  byteLength,
  invalidForEach,
  maxLengthProblem,
  patternProblem,
  rangeProblem,
} from "./texts.ts";
