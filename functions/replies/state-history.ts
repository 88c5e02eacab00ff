import type { StateDay } from '../store/heartbeats/state-day.ts';

const timeText = (milliseconds: number) => new Date(milliseconds).toISOString();

export function toStatesReply({ begin, end, intervals, availability }: StateDay) {
  return {
    begin: timeText(begin),
    end: timeText(end),
    intervals: intervals.map((one) => ({ state: one.state, begin: timeText(one.begin), end: timeText(one.end) })),
    ...(availability === undefined ? {} : { availability }),
  };
}
