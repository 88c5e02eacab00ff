import { CHANGE_DAYS } from '../../domain/records/retention.ts';

let days: number = CHANGE_DAYS;

/** How long this process keeps changes and audit entries. Set once, with its other dependencies: a process has one table. */
export function keepRecordsFor(setting: number): void {
  days = setting;
}

export const recordDays = (): number => days;

/** How long changes and audit entries are kept, in seconds. */
export const recordSeconds = (): number => days * 86_400;
