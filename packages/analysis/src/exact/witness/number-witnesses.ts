/** Numbers that lie at each of the points, between two neighbours, below the least and above the greatest. */
export function numberWitnesses(
  points: readonly number[],
  isAllowed: (value: number) => boolean,
): readonly number[] {
  const sorted = [...new Set(points)].sort((one, other) => one - other);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) return [8, 0, 1].filter(isAllowed).slice(0, 1);
  const values = sorted.flatMap((point, index) => {
    const next = sorted[index + 1];
    return [[point], next === undefined ? [] : between(point, next)].map((choice) => choice.find(isAllowed));
  });
  return [below(least).find(isAllowed), ...values, above(most).find(isAllowed)].filter(
    (value) => value !== undefined,
  );
}

/** Candidates, the first that is allowed will do; whole numbers come first. */
function between(one: number, other: number): readonly number[] {
  const whole = Math.floor(one) + 1;
  const middle = one / 2 + other / 2;
  return [whole, middle].filter((value) => value > one && value < other);
}

function below(point: number): readonly number[] {
  return [Math.ceil(point) - 1, point - Math.abs(point) / 2, -Number.MAX_VALUE].filter(
    (value) => value < point,
  );
}

function above(point: number): readonly number[] {
  return [Math.floor(point) + 1, point + Math.abs(point) / 2, Number.MAX_VALUE].filter(
    (value) => value > point && Number.isFinite(value),
  );
}
