/** The name of a string format that kube-apiserver validates. */
export type StringFormat =
  | "bsonobjectid"
  | "uri"
  | "email"
  | "hostname"
  | "ipv4"
  | "ipv6"
  | "cidr"
  | "mac"
  | "uuid"
  | "uuid3"
  | "uuid4"
  | "uuid5"
  | "isbn"
  | "isbn10"
  | "isbn13"
  | "creditcard"
  | "ssn"
  | "hexcolor"
  | "rgbcolor"
  | "byte"
  | "password"
  | "date"
  | "duration"
  | "datetime"
  | "date-time"
  | "k8s-short-name"
  | "k8s-long-name";

const FORMATS: Readonly<Record<StringFormat, true>> = {
  bsonobjectid: true,
  uri: true,
  email: true,
  hostname: true,
  ipv4: true,
  ipv6: true,
  cidr: true,
  mac: true,
  uuid: true,
  uuid3: true,
  uuid4: true,
  uuid5: true,
  isbn: true,
  isbn10: true,
  isbn13: true,
  creditcard: true,
  ssn: true,
  hexcolor: true,
  rgbcolor: true,
  byte: true,
  password: true,
  date: true,
  duration: true,
  datetime: true,
  "date-time": true,
  "k8s-short-name": true,
  "k8s-long-name": true,
};

/** The names of the string formats that kube-apiserver validates. */
export const TEXT_FORMATS: ReadonlySet<string> = new Set(Object.keys(FORMATS));
