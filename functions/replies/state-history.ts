import { timeTextOfMs } from '../../shared/core/seconds.ts';
import type { AgentDay } from '../store/heartbeats/agent-day.ts';

export function toStatesReply({ begin, end, intervals, availability }: AgentDay) {
  return {
    begin: timeTextOfMs(begin),
    end: timeTextOfMs(end),
    intervals: intervals.map((interval) => ({
      state: interval.state,
      ...(interval.status === undefined ? {} : { status: interval.status }),
      begin: timeTextOfMs(interval.begin),
      end: timeTextOfMs(interval.end),
    })),
    ...(availability === undefined ? {} : { availability }),
  };
}
