let volatileCalls = 0;
let cancelled = 0;

CustomFunctions.associate("DOUBLE", (number) => number * 2);
CustomFunctions.associate(
  "TOTAL",
  (factor, numbers) => factor * (numbers ?? []).reduce((sum, each) => sum + each, 0),
);
CustomFunctions.associate("RANGES", (ranges) => JSON.stringify(ranges));
CustomFunctions.associate("COUNTUP", (step, invocation) => {
  let count = 0;
  const timer = setInterval(() => invocation.setResult((count += step)), 50);
  invocation.onCanceled = () => {
    clearInterval(timer);
    cancelled += 1;
  };
});
CustomFunctions.associate("CANCELLED", () => cancelled);
CustomFunctions.associate("CALLS", () => (volatileCalls += 1));
CustomFunctions.associate("WHERE", (invocation) => invocation.address);
CustomFunctions.associate("WHENCE", (value, range, invocation) => [invocation.parameterAddresses]);
