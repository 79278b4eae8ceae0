/** Something to time: `run(n)` does its work n times. */
export interface Timed {
  readonly name: string;
  readonly run: (times: number) => void;
}

/** Nanoseconds for each time, by name. */
export type Times = ReadonlyMap<string, number>;

const rounds = 9;

/** Runs all in turn, round after round, so that other load affects them equally; the median of the rounds. */
export function timeAll(list: readonly Timed[], batchMilliseconds = 60): Times {
  const batches = list.map((timed) => ({
    timed,
    times: timesFor(timed, batchMilliseconds),
    samples: [] as number[],
  }));
  for (let round = 0; round < rounds; round += 1)
    for (const { timed, times, samples } of batches)
      samples.push(nanoseconds(() => timed.run(times)) / times);
  return new Map(batches.map(({ timed, samples }) => [timed.name, median(samples)]));
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** How often the work fills a batch; this also warms up the compiler. */
function timesFor({ run }: Timed, batchMilliseconds: number): number {
  let times = 1;
  for (;;) {
    const took = nanoseconds(() => run(times)) / 1e6;
    if (took >= batchMilliseconds) return Math.max(1, Math.round((times * batchMilliseconds) / took));
    times = Math.ceil(times * Math.min(10, Math.max(2, batchMilliseconds / Math.max(took, 0.01))));
  }
}

function nanoseconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) * 1_000;
}
