export { FakeClock } from "@xca/apimachinery/internal/base/fake-clock";
