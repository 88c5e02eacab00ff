/**
 * Limits repeated calls when many calls fail, so that repetitions do not keep a busy database busy. The figures are
 * those of the AWS SDK: https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
 */
const CAPACITY = 500;
const COST = 5;
const COST_AFTER_TIMEOUT = 10;

export class RetryQuota {
  #left = CAPACITY;

  /** Whether one more repetition is permitted; it then counts. */
  take(afterTimeout: boolean): boolean {
    const cost = afterTimeout ? COST_AFTER_TIMEOUT : COST;
    if (this.#left < cost) return false;
    this.#left -= cost;
    return true;
  }

  /** A call succeeded. */
  refill(): void {
    this.#left = Math.min(CAPACITY, this.#left + 1);
  }
}
