/**
 * Shared by the packages of `@xca` alone: no promise of compatibility is made.
 *
 * @module
 */
export {
  formatCidr,
  formatIp,
  type IpAddress,
  type IpRange,
  isIpv6,
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
  byteLength,
  invalidForEach,
  maxLengthProblem,
  patternProblem,
  rangeProblem,
} from "./texts.ts";
