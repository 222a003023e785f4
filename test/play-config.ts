import { beforeEach, onTestFinished } from "vitest";
import { config } from "../src/config";

type Values = Partial<Record<keyof typeof config, number>>;

/** Gives the running test these values of the config. The next test has the shipped ones again. */
export function setConfig(values: Values) {
  const shipped = { ...config };
  Object.assign(config, values);
  onTestFinished(() => {
    Object.assign(config, shipped);
  });
}

/** Gives each test of a file these values of the config. */
export function playConfig(values: Values) {
  beforeEach(() => setConfig(values));
}
