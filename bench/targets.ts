import { figure } from './report.ts';

/** The limit that a measured value must keep. */
export type Limit = { readonly atMost: number } | { readonly atLeast: number };

/** A measured value that has a target. */
export interface Measurement {
  /** What is measured, and what it is compared with. Unique within a section. */
  readonly name: string;
  readonly value: number;
  /** Undefined: the value is only recorded. */
  readonly limit?: Limit | undefined;
  /** `x` for a ratio; other units with a space before them. */
  readonly unit: string;
  /** Which of several measured objects the value belongs to, e.g. the largest bundle. */
  readonly of?: string | undefined;
}

/** Whether the target is met. A value that could not be measured (NaN) misses it. */
export function isMet({ value, limit }: Pick<Measurement, 'value' | 'limit'>): boolean {
  if (limit === undefined) return true;
  return 'atMost' in limit ? value <= limit.atMost : value >= limit.atLeast;
}

/** The target in words, for documents. */
export function limitText({ limit, unit }: Pick<Measurement, 'limit' | 'unit'>): string {
  if (limit === undefined) return 'none';
  const [words, most] = 'atMost' in limit ? ['at most', limit.atMost] : ['at least', limit.atLeast];
  return `${words} ${most.toLocaleString('en')}${unit}`;
}

export const valueText = ({ value, unit }: Pick<Measurement, 'value' | 'unit'>) => `${figure(value)}${unit}`;

/** The cell of a report that says whether a target is met. */
export function verdict(measured: Pick<Measurement, 'value' | 'limit' | 'unit'>): string {
  const { limit, unit } = measured;
  if (limit === undefined) return '';
  const sign = 'atMost' in limit ? `<= ${limit.atMost}` : `>= ${limit.atLeast}`;
  return `${isMet(measured) ? 'met' : 'MISSED'} (${sign}${unit})`;
}

/** Collects the values of one section that have a target. */
export interface Targets {
  /** Adds a value and returns its verdict. */
  add: (measured: Omit<Measurement, 'unit'> & { unit?: string }) => string;
  readonly measured: readonly Measurement[];
}

export function newTargets(): Targets {
  const measured: Measurement[] = [];
  return {
    add({ unit = 'x', ...target }) {
      if (measured.some(({ name }) => name === target.name)) throw new Error(`two values have the name ${target.name}`);
      const added = { unit, ...target };
      measured.push(added);
      return verdict(added);
    },
    measured,
  };
}

/** One line for each target that is missed. */
export function missedTargets(sections: ReadonlyMap<string, readonly Measurement[]>): string[] {
  return [...sections].flatMap(([section, measured]) =>
    measured
      .filter((measurement) => !isMet(measurement))
      .map((measurement) => {
        const of = measurement.of === undefined ? '' : ` (${measurement.of})`;
        return `${section}: ${measurement.name}${of}: ${valueText(measurement)}, target ${limitText(measurement)}`;
      }),
  );
}
