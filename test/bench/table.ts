import type { BenchResult, Finding } from "./result";

const columns: { title: string; of(result: BenchResult): string }[] = [
  { title: "bench", of: ({ name }) => name },
  { title: "size", of: ({ size }) => figure(size) },
  { title: "requests", of: ({ requests }) => figure(requests) },
  { title: "ms", of: ({ ms }) => figure(ms) },
  { title: "x parse", of: ({ timesParse }) => figure(timesParse) },
  { title: "floor ms", of: ({ floorMs }) => figure(floorMs) },
  { title: "ratio", of: ({ ratio }) => ratio?.toFixed(2) ?? "" },
  { title: "MB", of: ({ memoryMb }) => memoryMb?.toFixed(1) ?? "" },
  { title: "goal", of: ({ met }) => (met ? "met" : "MISSED") },
];

/** The findings as text for people: one line for each bench, then the peers' times, the goals, and the reason for each miss. */
export function printed(findings: readonly Finding[]): string {
  const rows = [
    columns.map(({ title }) => title),
    ...findings.map(({ result }) => columns.map((column) => column.of(result))),
  ];
  return [aligned(rows), ...findings.map(details)].join("\n\n");
}

function details({ result, misses, notes }: Finding): string {
  const peers = result.peers?.map(({ name, requests, ms, scaled }) => [
    `  ${name}`,
    `${figure(requests)} requests`,
    `${figure(ms)} ms`,
    result.ms === null ? "" : `${(ms / result.ms).toFixed(1)} x`,
    scaled ? "scaled up from a part" : "",
  ]);
  return [
    `${result.name}: ${result.goal}: ${result.met ? "met" : "MISSED"}`,
    ...misses.map((miss) => `  missed: ${miss}`),
    ...notes.map((note) => `  ${note}`),
    ...(peers ? [aligned(peers)] : []),
  ].join("\n");
}

/** Aligns the first column to the left, the others to the right. */
function aligned(rows: readonly string[][]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function figure(value: number | null): string {
  if (value === null) return "";
  return value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 1 : 0 });
}
