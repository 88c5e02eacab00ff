import { timeTextOfMs } from '../../shared/core/seconds.ts';
import type { StateDay } from '../store/heartbeats/timeline.ts';

export function toStatesReply({ begin, end, intervals, availability }: StateDay) {
  return {
    begin: timeTextOfMs(begin),
    end: timeTextOfMs(end),
    intervals: intervals.map((interval) => ({
      state: interval.state,
      begin: timeTextOfMs(interval.begin),
      end: timeTextOfMs(interval.end),
    })),
    ...(availability === undefined ? {} : { availability }),
  };
}
