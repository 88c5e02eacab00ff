import { timeTextOfMs } from '../../shared/core/seconds.ts';
import type { StateDay } from '../store/heartbeats/timeline.ts';

export function toStatesReply({ begin, end, intervals, availability }: StateDay) {
  return {
    begin: timeTextOfMs(begin),
    end: timeTextOfMs(end),
    intervals: intervals.map((one) => ({
      state: one.state,
      begin: timeTextOfMs(one.begin),
      end: timeTextOfMs(one.end),
    })),
    ...(availability === undefined ? {} : { availability }),
  };
}
