import type { RateLimits } from "../../reference-service/http/key-limit";

/** Limits that no test reaches. */
export const noLimits: RateLimits = { minute: 1_000_000, hour: 10_000_000, day: 100_000_000 };

/** These limits of the reference service. A window that isn't named has none that a test reaches. */
export const limitsOf = (limits: Partial<RateLimits>): RateLimits => ({ ...noLimits, ...limits });
