import type { Credentials } from "../../src/engine/transport/exchange";
import type { createEngine } from "./play/engine";
import type { Finding } from "./result";

/** The context of a scenario. Each runs in a process of its own, so that none inherits another's heap or clock. */
export interface Bench {
  /** The service in another process, with its added latency. */
  credentials: Credentials;
  /** The engine as it is built for the add-in. */
  createEngine: typeof createEngine;
  /** Shows the current step to the person who runs the bench. */
  progress(text: string): void;
}

export type Scenario = (bench: Bench) => Promise<Finding>;
