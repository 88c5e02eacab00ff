import { CommandError } from './exit-codes.ts';
import { milliseconds } from './values.ts';

export class Options {
  private readonly values: Readonly<Record<string, unknown>>;

  /** @param values by their name in camel case, as commander gives them. */
  constructor(values: Readonly<Record<string, unknown>>) {
    this.values = values;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  /** `--no-headers` was given. */
  isOff(name: string): boolean {
    return this.values[name] === false;
  }

  all(name: string): readonly string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** A whole number. @throws CommandError if it is none, or is less than 1. */
  count(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(value))
      throw new CommandError(`--${name} is not a whole number of at least 1: ${value}`);
    return Number(value);
  }

  /** A time in milliseconds. @throws CommandError if it is none, or 0. */
  time(name: string): number | undefined {
    const value = this.text(name);
    const time = value === undefined ? undefined : milliseconds(value);
    if (value !== undefined && (time === undefined || time === 0))
      throw new CommandError(`--${name} is no time such as 30s or 2m (without a unit: seconds): ${value}`);
    return time;
  }
}
